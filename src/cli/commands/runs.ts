import type { Recent, ReleaseClient } from '../../client/index.js';
import { counted } from '../../model/counted.js';
import { fail } from '../../model/failure.js';
import { SUPERSEDED, type RunStatus } from '../../model/messages.js';
import { records, type Started } from '../../model/run-folder.js';
import type { CommandSpec } from '../command.js';
import { notACount, unknownRun } from '../errors.js';
import { runsNamed } from '../find-log.js';
import { RECENT, requireClient } from '../find-run.js';
import type { Ports } from '../ports.js';
import { duration } from '../render/duration.js';
import { plain, table } from '../render/paint.js';
import { storedPlan } from '../stored-plan.js';

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
    const shown: Listed[] = [];
    for (const listed of found.slice(0, limit)) {
      const one = await withVerdict(listed, client).catch(() => listed);
      shown.push(await fromStore(one, ports).catch(() => one));
    }
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

interface Listed extends Recent {
  /** Full hash of its source. Absent: the source is no commit, or the store does not know it. */
  readonly commit?: string;
  /** `slipway run --supersede` cancelled it. */
  readonly superseded?: true;
}

/** Adds the verdict of a run that still sends its messages: the list has it only once the run is closed. */
async function withVerdict(one: Recent, client: ReleaseClient): Promise<Recent> {
  if (!one.open || one.state !== 'ended') return one;
  const { verdict, endedAt } = await client.status(one.workflowId, one.run);
  return { ...one, ...(verdict && { verdict: verdict.verdict }), ...(endedAt !== undefined && { endedAt }) };
}

/** Adds to a run what only the store knows. */
async function fromStore(one: Recent, ports: Ports): Promise<Listed> {
  const store = await ports.store();
  const started = await store.read<Started>(records.started(one.run));
  const source = (await storedPlan(started?.plan, ports))?.source;
  const last = one.verdict === 'cancelled' ? await store.read<RunStatus>(records.status(one.run)) : null;
  const isSuperseded = last?.verdict?.reasons.some((reason) => reason.startsWith(SUPERSEDED)) === true;
  const commit = source?.kind === 'git' ? { commit: source.commit } : {};
  return { ...one, ...commit, ...(isSuperseded && { superseded: true }) };
}

const HEAD = ['RUN', 'STATE', 'WAITS FOR', 'COMMIT', 'AGE', 'TOOK', 'RUN ID'];
/** Digits of a commit. */
const SHORT = 12;

/** Returns a table of runs. */
const runLines = (runs: readonly Listed[], nowMs: number): string[] =>
  table([HEAD, ...runs.map((run) => row(run, nowMs))]);

function row(run: Listed, nowMs: number): readonly string[] {
  const { workflowId, startedAt, endedAt } = run;
  const took = endedAt === undefined ? '-' : duration(endedAt - startedAt);
  const commit = run.commit?.slice(0, SHORT) ?? '-';
  return [workflowId, stateOf(run), waitsFor(run), commit, duration(nowMs - startedAt), took, run.run].map(plain);
}

const stateOf = ({ open, state, verdict, superseded }: Listed): string =>
  superseded ? 'superseded' : (verdict ?? (open ? (state ?? 'planning') : 'ended'));

function waitsFor({ open, state, held = 0 }: Recent): string {
  if (!open) return '-';
  if (held > 0) return `an action: ${counted(held, 'step')} held`;
  return WAITS[state ?? 'planning'] ?? '-';
}

const WAITS: Readonly<Record<string, string>> = {
  'at gate': 'approvals',
  paused: 'slipway resume',
  waiting: 'a worker or a service',
};
