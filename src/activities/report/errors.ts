import type { Problem } from '../../model/failure.js';
import { short } from '../../model/digest.js';
import type { RunId } from '../../model/ids.js';

const problem = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

const AGAIN = 'start the release again: what is done is reused.';

export const checkpointMissing = (run: RunId, digest: string): Problem =>
  problem(
    'CHECKPOINT_MISSING',
    `the store has no checkpoint ${short(digest)} of the run ${run}`,
    `Give the workers of control the store that the run began with, or ${AGAIN}`,
  );

export const checkpointAltered = (run: RunId, digest: string): Problem =>
  problem(
    'CHECKPOINT_ALTERED',
    `the checkpoint ${short(digest)} of the run ${run} is not what the run saved: its digest differs`,
    `Find out who can write to the store of control; then ${AGAIN}`,
  );
