import type { ReleaseClient, Started } from '../../client/index.js';
import { fail } from '../../model/failure.js';
import { SUPERSEDED, type ReleaseInput } from '../../model/messages.js';
import { withoutCache } from '../../plan/no-cache.js';
import type { CommandSpec, ExitCode, Input, Io } from '../command.js';
import { mayStartTests } from '../ask-many-tests.js';
import { beginRun } from '../begin-run.js';
import { notAPriority } from '../errors.js';
import { exitListIn } from '../exit-as.js';
import { workflowIdOf, type RunId } from '../../model/ids.js';
import { headOf } from '../../model/plan.js';
import { isPriority, ORDINARY, type Priority } from '../../model/priority.js';
import { openRuns, requireClient } from '../find-run.js';
import { EVERY_PROBLEM, GIVEN_OPTIONS, givenIn } from '../given.js';
import { hasLostLibraries } from '../lost-libraries.js';
import { notingUncommitted } from '../note-uncommitted.js';
import type { Ports } from '../ports.js';
import { sender } from '../send-action.js';
import { pageOf } from '../tell-ending.js';
import { onHoldIn, watchRun, type OnHold } from '../watch-run.js';

export const run: CommandSpec<Ports> = {
  name: 'run',
  summary: 'carry out a release file; the same release, or label of a pipeline, twice is the same run',
  arguments: [{ name: '[file]', help: 'release file (default: slipway.yaml)' }],
  options: [
    { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' },
    ...GIVEN_OPTIONS,
    EVERY_PROBLEM,
    { flags: '--yes', help: 'with --where: do not ask on a terminal whether more than 5 tests are meant' },
    {
      flags: '--wait',
      help: 'watch until it ends (default on a terminal, and with --on-hold or --exit-as), and the second run that builds what a moved base broke; exit 0 released, rehearsed or done, 1 failed, 3 cancelled, 4 held',
    },
    { flags: '--no-wait', help: 'start it and return' },
    {
      flags: '--exit-as <list>',
      help: "wait, and exit with the worst failure's number: ray, or buildkite (79 where the job is worth another start)",
    },
    {
      flags: '--on-hold <what>',
      help: 'when a step failed for good: wait for an action (default on a terminal), exit and leave it held (default elsewhere), or fail; waits for its end',
    },
    { flags: '--stop-at-gates', help: 'a rehearsal waits at gates too; else it passes them and says so' },
    { flags: '--priority <1-5>', help: 'whose steps busy queues take first: 1 before all others (default: 3)' },
    { flags: '--supersede', help: 'stop the open run of this release first; what it finished is reused' },
    {
      flags: '--no-cache [step]',
      help: 'make everything anew, or this step (an id, or what ids begin with; more of them with commas): nothing known is looked up, and what comes out is known then',
    },
    { flags: '--by <name>', help: 'who starts it (default: $SLIPWAY_BY, else your login)' },
    { flags: '--json', help: 'one JSON object per change, the ending last' },
  ],
  async run(input, io, ports) {
    const asked = askedIn(input.options, io);
    await using client = await requireClient(ports);
    const first = await carriedOut(client, input, asked, io, ports);
    if (first.watched === null || !(await hasLostLibraries(first.watched, ports))) return first.code;
    io.err('\nA base lost libraries. A second run builds the listed wheels that link them.');
    const { supersede: _, cache: __, ...options } = input.options;
    const second = await carriedOut(client, { ...input, options }, asked, io, ports);
    return first.code === 0 ? second.code : first.code;
  },
};

interface Asked {
  readonly onHold: OnHold;
  readonly priority: Priority;
  readonly exitList: ReturnType<typeof exitListIn>;
}

const askedIn = (options: Input['options'], io: Io): Asked => ({
  onHold: onHoldIn(options, io, ['wait', 'exit', 'fail']),
  priority: priorityOf(options['priority']),
  exitList: exitListIn(options),
});

interface Carried {
  readonly code: ExitCode;
  /** Run that was watched to its end. Null if the command did not wait. */
  readonly watched: RunId | null;
}

async function carriedOut(
  client: ReleaseClient,
  { args, options }: Input,
  { onHold, priority, exitList }: Asked,
  io: Io,
  ports: Ports,
): Promise<Carried> {
  const file = args['file'] ?? 'slipway.yaml';
  const { plan, digest } = await notingUncommitted(file, ports, io, () =>
    ports.submit(file, String(options['profile']), givenIn(options)),
  );
  const head = headOf(plan);
  const noCache = noCacheIn(options);
  withoutCache(plan.steps, noCache); // refuses what is not in the plan
  if (!(await mayStartTests(plan, options, ports))) {
    io.err('Nothing was started.');
    return { code: 0, watched: null };
  }
  if (options['supersede'] === true) await supersede(client, workflowIdOf(head), io, sender(options, ports));
  const startInput = {
    plan: digest,
    profile: plan.profile.name,
    ...head,
    ...startedBy(options, ports),
    priority,
    ...(noCache !== undefined && { noCache }),
    stopAtGates: options['stopAtGates'] === true,
    onFailure: onHold === 'fail' ? 'fail' : 'hold',
  } as const;
  const begun = await beginRun(client, startInput, file, io, ports);
  if (begun === null) return { code: 1, watched: null };
  const { started, ui } = begun;
  if (options['priority'] !== undefined) notePriority(started, priority, io);
  const json = options['json'] === true;
  if (!json) tellStart(started, digest, ui && pageOf(ui, started), io);
  const waits = io.terminal.live || exitList !== null || options['onHold'] !== undefined;
  if (options['wait'] ?? waits) {
    const code = await watchRun(client, started, io, ports, { json, leaveHeld: onHold === 'exit', exitList });
    return { code, watched: started.run };
  }
  if (json) io.out(JSON.stringify(started));
  else io.err(`Watch it with \`slipway watch ${started.workflowId}\`.`);
  return { code: 0, watched: null };
}

/** An option that begins with `no` is on unless it is said: false without a value. */
function noCacheIn({ cache }: Input['options']): ReleaseInput['noCache'] {
  if (cache === false) return true;
  return typeof cache === 'string' ? cache.split(',').map((step) => step.trim()) : undefined;
}

/** Returns who starts the run. A gate may keep this person from approving it. */
function startedBy(options: Input['options'], ports: Ports): { by?: string } {
  const by = sender(options, ports);
  return by === undefined ? {} : { by };
}

function priorityOf(given: string | boolean | undefined): Priority {
  const priority = given === undefined ? ORDINARY : Number(given);
  if (!isPriority(priority)) throw fail(notAPriority(String(given)));
  return priority;
}

/** Cancels an open run of the release, and waits for its end. The next run finds its results in the cache. */
async function supersede(client: ReleaseClient, workflowId: string, io: Io, by?: string): Promise<void> {
  const open = (await openRuns(client)).find((run) => run.workflowId === workflowId);
  if (open === undefined)
    return io.err(
      `--supersede: no run of ${workflowId} is open. \`slipway runs\` lists those of other versions, which stay.`,
    );
  await client.cancel(workflowId, SUPERSEDED, open.run, by);
  io.err(`Stopping the open run ${open.run} …`);
  // A status may say `ended` shortly before the workflow closes. A start at that moment would find this run.
  for await (const _ of client.follow(workflowId, open.run)) void _;
}

/** Notes that an open run keeps its priority: its scheduled activities cannot change theirs. */
function notePriority({ existing, priority: kept = ORDINARY }: Started, wanted: Priority, io: Io): void {
  if (!existing || kept === wanted) return;
  const next = `\`slipway run --supersede --priority ${wanted}\` starts it again, and what it finished is reused`;
  io.err(`note: this run is open already and keeps priority ${kept}, not ${wanted}: ${next}.`);
}

function tellStart(
  started: { workflowId: string; run: string; existing: boolean },
  digest: string,
  page: string | null,
  io: Io,
): void {
  io.err(
    `${started.existing ? 'Already running' : 'Started'}: ${started.workflowId}  plan ${digest.slice(0, 19)}  run ${started.run}`,
  );
  if (page) io.err(page);
}
