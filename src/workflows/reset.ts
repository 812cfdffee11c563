import { patched, workflowInfo } from '@temporalio/workflow';
import { fail } from '../model/failure.js';
import { runWasReset } from './errors.js';

/** Returns whether `temporal workflow reset` made this history of another one. False while it repeats events of that one. */
export function isReset(): boolean {
  const { runId, originalExecutionRunId } = workflowInfo();
  return runId !== originalExecutionRunId && patched('refuse-reset');
}

/** Throws RUN_WAS_RESET. */
export function assertNotReset(): void {
  if (isReset()) throw fail(runWasReset());
}
