import { fail } from '../../model/failure.js';
import type { CommandSpec, Input } from '../command.js';
import { drillNumber, drillVictim } from '../errors.js';
import { notingUncommitted } from '../note-uncommitted.js';
import type { Drilled, DrillPort, Ports } from '../ports.js';
import { drillLines } from '../screens/drill.js';

export const drill: CommandSpec<Ports> = {
  name: 'drill',
  summary:
    'rehearse a release file and kill what it stands on, at points drawn by a seed; nothing may be lost or sent twice',
  arguments: [{ name: '[file]', help: 'release file or its folder (default: slipway.yaml)' }],
  options: [
    { flags: '--points <number>', help: 'how often something is killed', default: '20' },
    { flags: '--seed <number>', help: 'the same seed draws the same points (default: a new one, which is told)' },
    { flags: '--rehearsals <number>', help: 'over how many rehearsals (default: 10, fewer for less than 20 points)' },
    { flags: '--steps <prefix>', help: 'only at steps whose id begins so: publish/', default: '' },
    {
      flags: '--kill <names>',
      help: 'only these: worker, workflows, supervisor, temporal, index, web, registry, staging, docker',
    },
    { flags: '--json', help: 'one JSON object: points, lost, twice, orphans, seed, and each rehearsal' },
  ],
  async run({ args, options }, io, ports) {
    const file = args['file'] ?? 'slipway.yaml';
    const { victims, drill: carryOut } = await ports.drill();
    const asked = askedIn(options, victims);
    const plan = await notingUncommitted(file, ports, io, () => ports.plan(file, 'local'));
    const json = options['json'] === true;
    io.err(`drilling ${plan.release.name} ${plan.release.version}: ${asked.points} points, seed ${asked.seed}`);
    const drilled = await carryOut({ ...asked, file, plan, signal: ports.interrupt(), onLine: (line) => io.err(line) });
    io.out(json ? JSON.stringify(drilled) : drillLines(drilled).join('\n'));
    return isClean(drilled) ? 0 : 1;
  },
};

const isClean = ({ lost, twice, orphans, unfinished }: Drilled): boolean => lost + twice + orphans + unfinished === 0;

function askedIn(options: Input['options'], known: DrillPort['victims']) {
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
