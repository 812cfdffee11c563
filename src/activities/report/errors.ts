import { problem } from '../../model/problem.js';
import { SlipwayFailure } from '../../model/failure.js';
import { short } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import type { RunId } from '../../model/ids.js';

const AGAIN = 'start the release again: what is done is reused.';

export const checkpointMissing = problem.config((run: RunId, digest: string) => [
  'CHECKPOINT_MISSING',
  `the store has no checkpoint ${short(digest)} of the run ${run}`,
  `Give the workers of control the store that the run began with, or ${AGAIN}`,
]);
export const checkpointAltered = problem.config((run: RunId, digest: string) => [
  'CHECKPOINT_ALTERED',
  `the checkpoint ${short(digest)} of the run ${run} is not what the run saved: its digest differs`,
  `Find out who can write to the store of control; then ${AGAIN}`,
]);

/** Returns why an act after a run failed. `next`: of a coded failure. */
function causeOf(error: unknown): Partial<Pick<Finding, 'next'>> & Pick<Finding, 'why'> {
  const { cause, message } = error as Error;
  if (!(error instanceof SlipwayFailure)) return { why: cause instanceof Error ? cause.message : message };
  return { why: `${error.first.code}: ${error.first.message}`, next: error.first.next };
}

/** @param name of the target */
export function statusUndrawn(name: string, error: unknown): Finding {
  const { why, next } = causeOf(error);
  return {
    level: 'warning',
    code: 'INDEX_STATUS_UNDRAWN',
    subject: name,
    why: `the status page of the index does not show this run: ${why}`,
    next: next ?? 'Type `slipway cache check FILE --repair`: it draws what the index lacks.',
  };
}

/** @param name of the target */
export const statusLate = (name: string, waitedMs: number): Finding => ({
  level: 'warning',
  code: 'INDEX_STATUS_LATE',
  subject: name,
  why: `the writer of the index had not drawn the status page of this run after ${waitedMs / 1000} s`,
  next: 'Type `slipway doctor`: it tells whether a workflow worker serves. The next run draws the page too.',
});

export function featureAfterRun(feature: string, error: unknown): Finding {
  const { why, next } = causeOf(error);
  return {
    ...{ level: 'warning', code: 'FEATURE_AFTER_RUN_FAILED', subject: feature },
    why: `feature "${feature}" did not finish its work after this run: ${why}`,
    next: next ?? 'Fix the cause. The verdict of this run does not change.',
  };
}
