import type { ReleaseClient, Started } from '../client/index.js';
import { unlessAborted } from '../client/unless-aborted.js';
import { fail, SlipwayFailure } from '../model/failure.js';
import { workflowIdOf } from '../model/ids.js';
import { records, type Started as Noted } from '../model/run-folder.js';
import type { Io } from './command.js';
import { openRuns } from './find-run.js';
import type { Ports } from './ports.js';
import { storedPlan } from './stored-plan.js';
import { noteFile } from './with-locations.js';

type StartInput = Parameters<ReleaseClient['start']>[0];

export interface Begun {
  readonly started: Started;
  /** Address of Temporal's web page. */
  readonly ui: string | null;
}

/** Starts a run, and notes its release file. Null after Ctrl-C: the server may have taken the start all the same, and
 * the person is told so. */
export async function beginRun(
  client: ReleaseClient,
  input: StartInput,
  file: string,
  io: Io,
  ports: Ports,
): Promise<Begun | null> {
  const begun = await unlessAborted(begin(client, input, file, ports), ports.interrupt());
  if (begun === null) io.err(mayBeOpen(workflowIdOf(input)));
  return begun;
}

async function begin(client: ReleaseClient, input: StartInput, file: string, ports: Ports): Promise<Begun> {
  const started = await client.start(input).catch(async (error: unknown) => {
    throw await withCommits(error, client, input, ports).catch(() => error);
  });
  await noteFile(started.run, file, ports);
  return { started, ui: (await ports.services()).ui() };
}

/** Adds the commits to the refusal of a second plan: two digests say nothing to a person. */
async function withCommits(error: unknown, client: ReleaseClient, input: StartInput, ports: Ports): Promise<unknown> {
  if (!(error instanceof SlipwayFailure) || error.first.code !== 'RUN_HAS_OTHER_PLAN') return error;
  const open = (await openRuns(client)).find(({ workflowId }) => workflowId === workflowIdOf(input))!;
  const noted = await (await ports.store()).read<Noted>(records.started(open.run));
  const plans = await Promise.all([noted?.plan, input.plan].map((plan) => storedPlan(plan, ports)));
  const [there, here] = plans.map((plan) => plan?.source.kind === 'git' && plan.source.commit.slice(0, 12));
  if (!there || !here) return error;
  const which = there === here ? `both of commit ${here}` : `the open one of commit ${there}, this one of ${here}`;
  return fail({ ...error.first, message: `${error.first.message} (${which})` }, error);
}

const mayBeOpen = (workflowId: string): string =>
  `Interrupted: ${workflowId} may have been started. \`slipway status ${workflowId}\` shows it.`;
