import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import * as temporal from '@temporalio/workflow';
import { CONTROL, FLEET } from '../../model/ids.js';
import { CANCEL_SIGNAL, PLAN_MEMO, WORKFLOW_TASK_LIMIT, type ReleaseInput } from '../../model/messages.js';
import { ORDINARY, turnOf } from '../../model/priority.js';
import { coded, unlessFatal } from '../../workflows/fatal-errors.js';
import * as messages from './pure/comments/messages.js';

/** An outage of GitHub is waited for, with growing pauses. */
const PATIENT = {
  taskQueue: CONTROL,
  heartbeatTimeout: '10 seconds',
  cancellationType: 'TRY_CANCEL',
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
} as const;
const patient = (more: temporal.ActivityOptions) =>
  temporal.proxyActivities<messages.CommentActivities>({ ...PATIENT, ...more });
const { readComment } = patient({ scheduleToCloseTimeout: '1 day' });
const { tellComment, listComments } = patient({ scheduleToCloseTimeout: '1 hour' });
const { followRun } = patient({
  ...{ taskQueue: FLEET, startToCloseTimeout: '30 days', cancellationType: 'WAIT_CANCELLATION_COMPLETED' },
});

/** Reads a comment, replies, and starts its run, which outlives this workflow. Returns the run's verdict, or the kind of the reply. */
export async function comment(input: messages.CommentInput): Promise<string> {
  try {
    return await unlessFatal(answered(input));
  } catch (error) {
    throw coded(error, { id: 'the comment', kind: 'readComment', on: CONTROL });
  }
}
// An unexpected error fails the workflow. By default it would fail the workflow task and be retried for ever.
temporal.setWorkflowOptions({ failureExceptionTypes: [Error] }, comment);

async function answered(input: messages.CommentInput): Promise<string> {
  const read = await readComment(input);
  if (read === null) return 'nothing';
  const { start, cancel = [], ...telling } = read;
  for (const other of cancel) await cancelled(other, `/cancel on ${input.repository}#${telling.place.issue}`);
  const told = tell(telling);
  if (start === undefined) return told.then(() => telling.reply.kind);
  temporal.upsertMemo({ [messages.COMMENT_MEMO]: start.memo });
  try {
    const run = await started(start);
    return await followRun({ ...telling, told: await told, workflowId: start.memo.workflowId, run });
  } catch (error) {
    temporal.log.warn('the run is not followed', { error });
    await told;
    const reply = { ...telling.reply, isLost: true };
    await tell({ ...telling, reply });
    return 'untold';
  }
}

/** A failed telling fails no run. A workflow that is cancelled tells that too. */
const tell = (telling: messages.Telling): Promise<number | null> =>
  temporal.CancellationScope.nonCancellable(() => tellComment(telling)).catch(untold);

function untold(error: unknown): null {
  temporal.log.warn('the reply was not told', { error });
  return null;
}

/** Starts the run by its plan. Null: a run of this id is open, which is followed. */
async function started({ type, plan, engine, by, memo }: messages.RunToStart): Promise<string | null> {
  const { workflowId } = memo;
  const run: ReleaseInput = { plan, engine, by, onFailure: 'fail' };
  return child(type, {
    ...{ workflowId, args: [run], workflowTaskTimeout: WORKFLOW_TASK_LIMIT },
    memo: { [PLAN_MEMO]: plan, [messages.COMMENT_MEMO]: memo },
    priority: { priorityKey: ORDINARY, fairnessKey: turnOf(workflowId) },
    staticSummary: `${workflowId}, by ${by}`,
  });
}

/** Starts a workflow that outlives this one. Returns its run. Null: there is one of this id. */
async function child(type: string, options: temporal.ChildWorkflowOptions & { args: unknown[] }) {
  const outlives = { parentClosePolicy: 'ABANDON', cancellationType: 'ABANDON' } as const;
  try {
    return (await temporal.startChild(type, { ...options, ...outlives })).firstExecutionRunId;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

async function cancelled(workflowId: string, reason: string): Promise<void> {
  const run = temporal.getExternalWorkflowHandle(workflowId);
  const ended = (error: unknown): void => temporal.log.warn('the run to cancel has ended', { error });
  await run
    .signal(CANCEL_SIGNAL, { reason })
    .then(() => run.cancel(), ended)
    .catch(ended);
}

/** Starts a workflow for each comment since the last poll. A comment that was delivered has one already. */
export async function comments(): Promise<messages.Seen> {
  try {
    const found = await listComments(temporal.workflowInfo().lastResult as messages.Seen | undefined);
    const reuse = { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' } as const;
    await Promise.all(
      found.unread.map((one) => child('comment', { workflowId: messages.commentIdOf(one), args: [one], ...reuse })),
    );
    return found.seen;
  } catch (error) {
    throw coded(error, { id: 'the poll', kind: 'listComments', on: CONTROL });
  }
}
temporal.setWorkflowOptions({ failureExceptionTypes: [Error] }, comments);
