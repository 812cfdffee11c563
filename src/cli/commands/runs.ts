import type { Recent } from '../../client/index.js';
import { counted } from '../../model/counted.js';
import { fail } from '../../model/failure.js';
import type { CommandSpec } from '../command.js';
import { notACount, unknownRun } from '../errors.js';
import { runsNamed } from '../find-log.js';
import { RECENT, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { duration } from '../render/duration.js';
import { plain, table } from '../render/paint.js';

const SHOWN = 20;

export const runs: CommandSpec<Ports> = {
  name: 'runs',
  summary: 'runs that the server knows: open ones first, with what they wait for, then those that ended',
  arguments: [{ name: '[name]', help: 'only runs of this name' }],
  options: [
    { flags: '--limit <n>', help: `so many runs (default: ${SHOWN}; with --json ${RECENT})` },
    { flags: '--json', help: 'one JSON object a line' },
  ],
  async run({ args, options }, io, ports) {
    const json = options['json'] === true;
    const limit = limitOf(options['limit'] ?? String(json ? RECENT : SHOWN));
    await using client = await requireClient(ports);
    const { name } = args;
    const most = Math.max(RECENT, limit) + 1;
    const all = await client.runs(most);
    const meant = runsNamed(all, name);
    if (meant.length === 0 && name !== undefined) throw fail(unknownRun(name));
    const found = [...meant.filter(({ open }) => open), ...meant.filter(({ open }) => !open)];
    const shown = found.slice(0, limit);
    if (json) for (const one of shown) io.out(JSON.stringify(one));
    else if (found.length === 0) io.out('There is no run yet. `slipway run` starts one.');
    else io.out(runLines(shown, Date.now()).join('\n'));
    const more = `${found.length - limit} more: \`slipway runs --limit ${found.length}\` lists them.`;
    if (found.length > limit) io.err(all.length < most ? more : `At least ${more}`);
    return 0;
  },
};

/** Throws NOT_A_COUNT. */
function limitOf(given: string | boolean): number {
  if (!/^[1-9]\d{0,5}$/.test(String(given))) throw fail(notACount('limit', String(given), '--limit 100'));
  return Number(given);
}

const HEAD = ['RUN', 'STATE', 'WAITS FOR', 'AGE', 'TOOK', 'RUN ID'];

/** Returns a table of runs. */
const runLines = (runs: readonly Recent[], nowMs: number): string[] =>
  table([HEAD, ...runs.map((run) => row(run, nowMs))]);

function row(run: Recent, nowMs: number): readonly string[] {
  const { workflowId, startedAt, endedAt } = run;
  const took = endedAt === undefined ? '-' : duration(endedAt - startedAt);
  return [workflowId, stateOf(run), waitsFor(run), duration(nowMs - startedAt), took, run.run].map(plain);
}

const stateOf = ({ open, state, verdict }: Recent): string => (open ? (state ?? 'planning') : (verdict ?? 'ended'));

function waitsFor({ open, state, held = 0 }: Recent): string {
  if (!open) return '-';
  if (held > 0) return `an action: ${counted(held, 'step')} held`;
  return state === 'at gate' ? 'approvals' : state === 'paused' ? 'slipway resume' : '-';
}
