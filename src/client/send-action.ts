import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type WorkflowHandle,
} from '@temporalio/client';
import { fail } from '../model/failure.js';
import type { StepId } from '../model/ids.js';
import {
  RERUN_QUERY,
  SEND,
  type RerunPreview,
  type Action,
  type ActionAnswer,
  actionTooLong,
} from '../model/actions.js';
import { ask, isNotNow, orSilent } from './ask.js';
import type { ClientContext } from './client-context.js';
import { noWorkerAnswers, runEnded, actionRefused } from './errors.js';
import { askLatest, type Latest } from './history-chain.js';
import { isOpen, queryLoaded } from './status.js';

/** A worker with the run in its cache answers in milliseconds; replaying a long history takes up to ten seconds. */
const ANSWER_LIMIT_MS = 15_000;

/** Uses a Query, which changes nothing and adds no event to the history. */
export async function previewRerun(
  context: ClientContext,
  workflowId: string,
  step: StepId,
  run?: string,
): Promise<RerunPreview> {
  const preview = async ({ handle, description: { status } }: Latest): Promise<RerunPreview> => {
    if (!isOpen(status.name)) throw fail(runEnded(workflowId, status.name.toLowerCase()));
    const query = (): Promise<RerunPreview> => queryLoaded<RerunPreview>(handle, RERUN_QUERY, step);
    return await context.client.withDeadline(Date.now() + ANSWER_LIMIT_MS, query).catch(orSilent(workflowId));
  };
  const about = { workflowId, run };
  return ask(context, `preview a retry of ${workflowId}`, about, () => askLatest(context, workflowId, run, preview));
}

/** Sends an action as an Update, because an Update returns the run's answer. All sends of one call have the same update id.
 * Temporal recognises a repeated id within one history only, so the former history is asked before the next one. */
export async function sendAction(
  context: ClientContext,
  workflowId: string,
  action: Action,
  run?: string,
): Promise<ActionAnswer> {
  const tooLong = actionTooLong(action);
  if (tooLong !== null) throw fail(tooLong);
  const updateId = crypto.randomUUID();
  let sentTo: WorkflowHandle | null = null;
  const send = async ({ handle, description: { status } }: Latest): Promise<ActionAnswer> => {
    const given = sentTo && (await answerOf(context, sentTo, updateId));
    if (given) return given;
    if (!isOpen(status.name)) throw fail(runEnded(workflowId, status.name.toLowerCase()));
    sentTo = handle;
    return await update(context, handle, action, updateId);
  };
  const about = { workflowId, run };
  return ask(context, `send ${action.action} to ${workflowId}`, about, () => askLatest(context, workflowId, run, send));
}

async function update(
  { client }: ClientContext,
  handle: WorkflowHandle,
  action: Action,
  updateId: string,
): Promise<ActionAnswer> {
  try {
    const execute = (): Promise<ActionAnswer> =>
      handle.executeUpdate<ActionAnswer, [Action]>(SEND, { args: [action], updateId });
    return await client.withDeadline(Date.now() + ANSWER_LIMIT_MS, execute);
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError)
      throw fail(actionRefused(action.action, (error.cause as Error | undefined)?.message ?? error.message), error);
    const silent = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isNotNow(error);
    throw silent ? fail(noWorkerAnswers(handle.workflowId, (error as Error).message), error) : error;
  }
}

/** Returns the answer that a closed history gave to an Update. Null if it gave none. */
async function answerOf(
  { client }: ClientContext,
  handle: WorkflowHandle,
  updateId: string,
): Promise<ActionAnswer | null> {
  const result = (): Promise<ActionAnswer> => handle.getUpdateHandle<ActionAnswer>(updateId).result();
  return await client.withDeadline(Date.now() + ANSWER_LIMIT_MS, result).catch((error: unknown) => {
    if (error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError) return null;
    throw error;
  });
}
