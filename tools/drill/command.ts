import type { ExitCode, Input, Io } from '#slipway/cli/command.js';
import { notingUncommitted } from '#slipway/cli/note-uncommitted.js';
import type { Ports } from '#slipway/cli/ports.js';
import { fail } from '#slipway/model/failure.js';
import { isBad, type DrillAsked, type Drilled } from './drill.js';
import type { Victim } from './draw.js';
import { drillNumber, drillVictim } from './errors.js';
import { drillLines } from './screen.js';

/** Programs and services that the command needs here. */
export interface Here {
  /** Processes of this machine that a drill can kill. */
  readonly victims: readonly Victim[];
  drill(asked: DrillAsked): Promise<Drilled>;
}

/** Runs `slipway drill`. Returns 1 if anything was lost, sent twice, left behind or not finished.
 * Throws DRILL_NUMBER and DRILL_VICTIM. */
export async function command({ args, options }: Input, io: Io, ports: Ports, here: Here): Promise<ExitCode> {
  const file = args['file'] ?? 'slipway.yaml';
  const asked = askedIn(options, here.victims);
  const { plan } = await notingUncommitted(file, ports, io, () => ports.planWithRows(file, 'local', {}));
  const json = options['json'] === true;
  io.err(`drilling ${plan.release.name} ${plan.release.version}: ${asked.points} points, seed ${asked.seed}`);
  const drilled = await here.drill({ ...asked, file, plan, signal: ports.interrupt(), onLine: (line) => io.err(line) });
  io.out(json ? JSON.stringify(drilled) : drillLines(drilled).join('\n'));
  return isBad(drilled) ? 1 : 0;
}

function askedIn(options: Input['options'], known: readonly Victim[]) {
  const points = numberIn(options, 'points', 1) ?? 20;
  const said = options['kill'];
  const names = typeof said === 'string' ? said.split(',').map((name) => name.trim()) : known;
  const strange = names.filter((name) => !known.some((victim) => victim === name));
  if (strange.length > 0 || names.length === 0) throw fail(drillVictim(strange, known));
  return {
    points,
    seed: numberIn(options, 'seed', 0) ?? Math.floor(Math.random() * 2 ** 31),
    rehearsals: numberIn(options, 'rehearsals', 1) ?? Math.max(1, Math.min(10, Math.floor(points / 2))),
    prefix: String(options['steps'] ?? ''),
    victims: known.filter((victim) => names.includes(victim)),
  };
}

function numberIn(options: Input['options'], name: string, least: number): number | null {
  const said = options[name];
  if (said === undefined) return null;
  const number = Number(said);
  if (!/^\d{1,9}$/.test(String(said)) || number < least) throw fail(drillNumber(name, String(said), least));
  return number;
}
