import {
  CancellationScope,
  ParentClosePolicy,
  getExternalWorkflowHandle,
  log,
  proxyActivities,
  setWorkflowOptions,
  startChild,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CONTROL, FLEET } from '../../model/ids.js';
import { CANCEL_SIGNAL, PLAN_MEMO, WORKFLOW_TASK_LIMIT, type ReleaseInput } from '../../model/messages.js';
import { ORDINARY, turnOf } from '../../model/priority.js';
import { coded, unlessFatal } from '../../workflows/fatal-errors.js';
import { COMMENT_MEMO, commentIdOf } from './pure/comments/messages.js';
import type {
  CommentInput,
  CommentMemo,
  FollowRun,
  ListComments,
  ReadComment,
  RunToStart,
  Seen,
  TellComment,
} from './pure/comments/messages.js';

/** An outage of GitHub is waited for, with growing pauses. */
const PATIENT = {
  taskQueue: CONTROL,
  heartbeatTimeout: '10 seconds',
  cancellationType: 'TRY_CANCEL',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
} as const;
const { readComment } = proxyActivities<{ readComment: ReadComment }>({
  ...PATIENT,
  startToCloseTimeout: '10 minutes',
  scheduleToCloseTimeout: '1 day',
});
const { tellComment } = proxyActivities<{ tellComment: TellComment }>({
  ...PATIENT,
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '1 hour',
});
const { listComments } = proxyActivities<{ listComments: ListComments }>({
  ...PATIENT,
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: '10 minutes',
});
const { followRun } = proxyActivities<{ followRun: FollowRun }>({
  ...PATIENT,
  taskQueue: FLEET,
  startToCloseTimeout: '30 days',
});

/** What a comment came to: the verdict of its run, or what the reply says. */
export interface CommentEnd {
  readonly ended: string;
  readonly workflowId?: string;
}

/** Reads a comment, replies, and starts the run that it asks for. The run outlives this workflow, and knows nothing of it. */
export async function comment(input: CommentInput): Promise<CommentEnd> {
  try {
    return await unlessFatal(answered(input));
  } catch (error) {
    throw coded(error, { id: 'the comment', kind: 'readComment', on: CONTROL });
  }
}
// An unexpected error fails the workflow. By default it would fail the workflow task and be retried for ever.
setWorkflowOptions({ failureExceptionTypes: [Error] }, comment);

async function answered(input: CommentInput): Promise<CommentEnd> {
  const { runId: run, workflowId } = workflowInfo();
  const asking = { run, workflowId };
  const read = await readComment({ ...input, ...asking });
  if (read === null) return { ended: 'nothing' };
  const { place, reply, start } = read;
  for (const other of read.cancel ?? []) await cancelled(other, `/cancel by ${place.repository}#${place.issue}`);
  const telling = tellComment({ place, reply, ...asking }).catch(untold);
  if (start === undefined) {
    await telling;
    return { ended: reply.kind };
  }
  const memo: CommentMemo = {
    repository: place.repository,
    pull: place.issue,
    job: start.job,
    workflowId: start.workflowId,
  };
  upsertMemo({ [COMMENT_MEMO]: memo });
  const [told, startedRun] = await Promise.all([telling, CancellationScope.nonCancellable(() => started(start))]);
  const follow = { place, reply, told, started: start, ...(startedRun !== null && { startedRun }), ...asking };
  return { ended: (await followRun(follow).catch(untold)) ?? 'untold', workflowId: start.workflowId };
}

/** A failed telling fails no run. */
function untold(error: unknown): null {
  log.warn('the reply was not told', { error });
  return null;
}

/** Starts the run by its plan. Null: a run of this id is open, which is followed. */
async function started({ type, workflowId, plan, engine, by }: RunToStart): Promise<string | null> {
  const run: ReleaseInput = { plan, engine, by, onFailure: 'fail' };
  try {
    const child = await startChild(type, {
      ...{ workflowId, args: [run], workflowTaskTimeout: WORKFLOW_TASK_LIMIT, memo: { [PLAN_MEMO]: plan } },
      ...{ parentClosePolicy: ParentClosePolicy.ABANDON, cancellationType: 'ABANDON' },
      priority: { priorityKey: ORDINARY, fairnessKey: turnOf(workflowId) },
      staticSummary: `${workflowId}, by ${by}`,
    });
    return child.firstExecutionRunId;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

async function cancelled(workflowId: string, reason: string): Promise<void> {
  const run = getExternalWorkflowHandle(workflowId);
  try {
    await run.signal(CANCEL_SIGNAL, { reason });
    await run.cancel();
  } catch (error) {
    log.warn('the run to cancel has ended', { error });
  }
}

/** Starts a workflow for each comment since the last poll. A comment that was delivered has one already. */
export async function comments(): Promise<Seen> {
  const { runId: run, workflowId, lastResult } = workflowInfo();
  try {
    const seen = lastResult as Seen | undefined;
    const found = await listComments({ ...(seen && { seen }), run, workflowId });
    await Promise.all(found.unread.map(read));
    return found.seen;
  } catch (error) {
    throw coded(error, { id: 'the poll', kind: 'listComments', on: CONTROL });
  }
}
setWorkflowOptions({ failureExceptionTypes: [Error] }, comments);

async function read(input: CommentInput): Promise<void> {
  try {
    await startChild(comment, {
      ...{ workflowId: commentIdOf(input), args: [input], parentClosePolicy: ParentClosePolicy.ABANDON },
      ...{ workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY', cancellationType: 'ABANDON' },
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
