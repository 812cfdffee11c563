import { defineQuery, defineSignal } from '@temporalio/workflow';
import { CANCEL_SIGNAL, STATUS_QUERY, type RunStatus, type Verdict } from '../model/messages.js';

/** What a finished run answers; a failed one carries the status in its failure's details. */
export interface RunOutcome extends Verdict {
  readonly status: RunStatus;
}

export const statusQuery = defineQuery<RunStatus>(STATUS_QUERY);

/** Asks the run to stop: `{"reason": "…", "by": "…"}`. Typed by hand as well, so it may be anything. */
export const cancelSignal = defineSignal<[unknown?]>(CANCEL_SIGNAL);

export function cancelReason(word: unknown): string {
  const { reason, by } = (typeof word === 'object' && word !== null ? word : { reason: word }) as Record<
    string,
    unknown
  >;
  const why = typeof reason === 'string' && reason !== '' ? reason : 'cancel was asked for';
  return typeof by === 'string' && by !== '' ? `${why} (${by})` : why;
}
