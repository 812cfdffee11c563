import { WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { fail } from '../model/failure.js';
import type { StepId } from '../model/ids.js';
import { RERUN_QUERY, SAY, type RerunPreview, type Word, type WordAnswer, wordTooLong } from '../model/words.js';
import { ask, isNotNow } from './ask.js';
import type { ClientContext } from './client-context.js';
import { noWorkerAnswers, runEnded, wordRefused } from './errors.js';
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
    return await context.client.withDeadline(Date.now() + ANSWER_LIMIT_MS, query).catch((error: unknown) => {
      throw isNotNow(error) ? fail(noWorkerAnswers(workflowId, (error as Error).message), error) : error;
    });
  };
  const about = { workflowId, run };
  return ask(context, `preview a retry of ${workflowId}`, about, () => askLatest(context, workflowId, run, preview));
}

/** Sends a word as an Update, because an Update returns the run's answer. */
export async function sayWord(
  context: ClientContext,
  workflowId: string,
  word: Word,
  run?: string,
): Promise<WordAnswer> {
  const tooLong = wordTooLong(word);
  if (tooLong !== null) throw fail(tooLong);
  const say = async ({ handle, description: { status } }: Latest): Promise<WordAnswer> => {
    if (!isOpen(status.name)) throw fail(runEnded(workflowId, status.name.toLowerCase()));
    try {
      const update = (): Promise<WordAnswer> => handle.executeUpdate<WordAnswer, [Word]>(SAY, { args: [word] });
      return await context.client.withDeadline(Date.now() + ANSWER_LIMIT_MS, update);
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError)
        throw fail(wordRefused(word.word, (error.cause as Error | undefined)?.message ?? error.message), error);
      const silent = error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isNotNow(error);
      throw silent ? fail(noWorkerAnswers(workflowId, (error as Error).message), error) : error;
    }
  };
  const about = { workflowId, run };
  return ask(context, `say ${word.word} to ${workflowId}`, about, () => askLatest(context, workflowId, run, say));
}
