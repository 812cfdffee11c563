import {
  ApplicationFailure,
  WorkflowFailedError,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
} from '@temporalio/client';
import { fail } from '../model/failure.js';
import {
  PLAN_MEMO,
  STATUS_QUERY,
  type FailureDetails,
  type RunStatus,
  type StepState,
  type StepStatus,
  type VerdictName,
} from '../model/messages.js';
import { ask, isNotNow } from './ask.js';
import { codecsOf, type ClientContext } from './client-context.js';
import { noWorkerAnswers, taskFails } from './errors.js';
import { withWaits } from './waits.js';
import { failingTask, wholeRun } from './whole-run.js';

/** A worker that is there answers in milliseconds; one that replays a long history in a second or two. */
const QUERY_LIMIT_MS = 10_000;

export const isOpen = (status: string): boolean => status === 'RUNNING' || status === 'PAUSED';

/** An open run is asked; a closed one tells by its result, or by its failure's details. */
export async function statusOf(door: ClientContext, workflowId: string, run?: string): Promise<RunStatus> {
  const handle = door.client.workflow.getHandle(workflowId, run);
  return ask(door, `tell the status of ${workflowId}`, { workflowId, run }, async () => {
    const description = await handle.describe();
    if (!isOpen(description.status.name)) return closedStatus(door, description);
    const whole = await wholeRun(door, description);
    const asked = query(door, handle).then((status) => withWaits(status, whole, codecsOf(door)));
    return asked.catch((error: unknown) => {
      const failing = failingTask(whole);
      if (failing !== null) throw fail(taskFails(failing.workflowId, failing.tries), error);
      throw isNotNow(error) ? fail(noWorkerAnswers(workflowId, (error as Error).message), error) : error;
    });
  });
}

export const query = ({ client }: ClientContext, handle: WorkflowHandle): Promise<RunStatus> =>
  client.withDeadline(Date.now() + QUERY_LIMIT_MS, () => handle.query<RunStatus>(STATUS_QUERY));

async function closedStatus(door: ClientContext, description: WorkflowExecutionDescription): Promise<RunStatus> {
  const { status, runId, workflowId } = description;
  const exact = door.client.workflow.getHandle(workflowId, runId);
  if (status.name === 'COMPLETED') return ((await exact.result()) as { status: RunStatus }).status;
  const failure = await exact.result().catch((error: unknown) => error);
  const told = failure instanceof WorkflowFailedError && failure.cause instanceof ApplicationFailure;
  const details = told ? (failure.cause as ApplicationFailure).details?.[0] : undefined;
  if (isStatus(details)) return details;
  if (isCoded(details)) return { ...bare(description, failure), problems: details.problems };
  // A cancelled or terminated run has no details in its history: a worker replays it.
  const asked = await query(door, exact).catch(() => null);
  if (asked?.state === 'ended') return asked;
  const known = bare(description, failure);
  return asked ? { ...asked, ...known, steps: asked.steps.map(stopped) } : known;
}

/** A step that was open when Temporal itself ended its run. */
const stopped = (step: StepStatus): StepStatus =>
  OPEN.includes(step.state) ? { ...step, state: 'cancelled', because: 'the run was ended' } : step;
const OPEN: readonly StepState[] = ['waiting', 'running', 'backing off', 'held', 'at gate'];

/** A run that failed before it had a status to end with. */
const isCoded = (value: unknown): value is FailureDetails =>
  typeof value === 'object' && value !== null && Array.isArray((value as FailureDetails).problems);

const isStatus = (value: unknown): value is RunStatus =>
  typeof value === 'object' && value !== null && 'steps' in value && 'verdict' in value;

/** All that Temporal itself knows of a run that was terminated, or that no worker replayed. */
function bare(
  { workflowId, runId, status, startTime, closeTime, memo }: WorkflowExecutionDescription,
  failure: unknown,
): RunStatus {
  const [kind, name = '', version = ''] = workflowId.split('/');
  const verdict: VerdictName = status.name === 'CANCELLED' ? 'cancelled' : 'failed';
  const ended = status.name.toLowerCase().replace('_', ' ');
  const reason = failure instanceof Error ? `${ended} by Temporal: ${failure.message}` : `${ended} by Temporal`;
  return {
    workflowId,
    run: runId,
    plan: (memo?.[PLAN_MEMO] as RunStatus['plan']) ?? null,
    name,
    version,
    rehearsal: kind === 'rehearsal',
    state: 'ended',
    startedAt: startTime.getTime(),
    ...(closeTime ? { endedAt: closeTime.getTime() } : {}),
    steps: [],
    verdict: { verdict, reasons: [reason] },
    problems: [],
  };
}
