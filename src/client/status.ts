import {
  ApplicationFailure,
  WorkflowFailedError,
  type WorkflowExecutionDescription,
  type WorkflowExecutionInfo,
  type WorkflowHandle,
} from '@temporalio/client';
import { fail } from '../model/failure.js';
import { namesIn, PIPELINE_WORKFLOW, type RunId } from '../model/ids.js';
import {
  PLAN_MEMO,
  STATUS_QUERY,
  type FailureDetails,
  type RunStatus,
  type StepState,
  type StepStatus,
  type VerdictName,
} from '../model/messages.js';
import { ask, orSilent } from './ask.js';
import { codecsOf, type ClientContext } from './client-context.js';
import { withWaits, failingTask } from './waits.js';
import { askLatest, latest, runOf, type Latest } from './history-chain.js';

/** A worker with the run in its cache answers in milliseconds; replaying a long history takes up to ten seconds. */
const QUERY_LIMIT_MS = 10_000;

export const isOpen = (status: string): boolean => status === 'RUNNING' || status === 'PAUSED';

/** Returns the verdict of a closed run. src/workflows/release.ts closes a workflow by its verdict, and a good one follows
 * from the kind of the run. */
export function closedVerdict({
  workflowId,
  status,
}: Pick<WorkflowExecutionInfo, 'workflowId' | 'status'>): VerdictName {
  if (status.name === 'CANCELLED') return 'cancelled';
  if (status.name !== 'COMPLETED') return 'failed';
  return COMPLETED[workflowId.split('/', 1)[0]!] ?? 'done';
}
const COMPLETED: Readonly<Record<string, VerdictName>> = { release: 'released', rehearsal: 'rehearsed' };

/** Returns the run that is open under a workflow id. Null if the last one has ended. Throws RUN_UNKNOWN if there was none. */
export const openRun = (context: ClientContext, workflowId: string): Promise<RunId | null> =>
  ask(context, `describe ${workflowId}`, { workflowId }, async () => {
    const { description } = await latest(context, workflowId);
    return isOpen(description.status.name) ? runOf(description).run : null;
  });

/** Returns the status of a run: by query while it is open, else from its result or its failure's details. */
export async function statusOf(context: ClientContext, workflowId: string, run?: string): Promise<RunStatus> {
  const tell = async ({ handle, description }: Latest): Promise<RunStatus> => {
    if (!isOpen(description.status.name)) return closedStatus(context, description);
    const asked = query(context, handle).then((status) => withWaits(status, description, codecsOf(context)));
    return asked.catch((error: unknown) => {
      const failing = failingTask(description);
      if (failing !== null) throw fail(failing, error);
      return orSilent(workflowId)(error);
    });
  };
  const about = { workflowId, run };
  return ask(context, `tell the status of ${workflowId}`, about, () => askLatest(context, workflowId, run, tell));
}

export const query = (context: ClientContext, handle: WorkflowHandle): Promise<RunStatus> =>
  context.client.withDeadline(Date.now() + QUERY_LIMIT_MS, () => queryLoaded<RunStatus>(handle, STATUS_QUERY));

/** Queries a run. Waits for one that has just continued as new and is loading its checkpoint. */
export async function queryLoaded<T>(handle: WorkflowHandle, name: string, ...args: readonly unknown[]): Promise<T> {
  const giveUpAt = performance.now() + QUERY_LIMIT_MS;
  for (;;) {
    try {
      return await handle.query<T, unknown[]>(name, ...args);
    } catch (error) {
      const loads = error instanceof Error && error.message.includes(LOADING);
      if (!loads || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
}
/** Error code of a run that still loads its checkpoint. */
const LOADING = 'RUN_CONTINUES';
const LOOK_AGAIN_MS = 100;

async function closedStatus(context: ClientContext, description: WorkflowExecutionDescription): Promise<RunStatus> {
  const { status, runId, workflowId } = description;
  const exact = context.client.workflow.getHandle(workflowId, runId);
  if (status.name === 'COMPLETED') return ((await exact.result()) as { status: RunStatus }).status;
  const failure = await exact.result().catch((error: unknown) => error);
  const told = failure instanceof WorkflowFailedError && failure.cause instanceof ApplicationFailure;
  const details = told ? (failure.cause as ApplicationFailure).details?.[0] : undefined;
  if (isStatus(details)) return details;
  if (isCoded(details)) return { ...bare(description, failure), problems: details.problems };
  // A cancelled or terminated run has no details in its history: a worker replays it.
  const asked = await query(context, exact).catch(() => null);
  if (asked?.state === 'ended') return asked;
  const known = bare(description, failure);
  return asked ? { ...asked, ...known, steps: asked.steps.map(stopped) } : known;
}

const stopped = (step: StepStatus): StepStatus =>
  OPEN.includes(step.state) ? { ...step, state: 'cancelled', because: 'the run was ended' } : step;
const OPEN: readonly StepState[] = ['waiting', 'running', 'backing off', 'held', 'at gate'];

/** True for details of a run that failed before it had a status. */
const isCoded = (value: unknown): value is FailureDetails =>
  typeof value === 'object' && value !== null && Array.isArray((value as FailureDetails).problems);

const isStatus = (value: unknown): value is RunStatus =>
  typeof value === 'object' && value !== null && 'steps' in value && 'verdict' in value;

/** Builds a status from Temporal's own data, for a run that was terminated or that no worker replayed. */
function bare(description: WorkflowExecutionDescription, failure: unknown): RunStatus {
  const { workflowId, status, closeTime, memo } = description;
  const { kind, name, version } = namesIn(workflowId) ?? { kind: '', name: workflowId, version: '' };
  const ended = status.name.toLowerCase().replace('_', ' ');
  const reason = failure instanceof Error ? `${ended} by Temporal: ${failure.message}` : `${ended} by Temporal`;
  return {
    workflowId,
    ...runOf(description),
    plan: (memo?.[PLAN_MEMO] as RunStatus['plan']) ?? null,
    name,
    version,
    rehearsal: kind === 'rehearsal',
    ...(kind === PIPELINE_WORKFLOW && { pipeline: true as const }),
    state: 'ended',
    ...(closeTime ? { endedAt: closeTime.getTime() } : {}),
    steps: [],
    verdict: { verdict: closedVerdict(description), reasons: [reason] },
    problems: [],
  };
}
