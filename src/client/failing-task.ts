import type { WorkflowExecutionDescription } from '@temporalio/client';
import type { Problem } from '../model/failure.js';
import { taskFails } from './errors.js';

/** A killed worker costs one or two attempts of a workflow task. More mean a bug in the workflow's code. */
const MANY_TRIES = 5;

/** Returns the problem of a run whose workflow task fails again and again. Null if it does not. */
export function failingTask({ raw }: Pick<WorkflowExecutionDescription, 'raw'>): Problem | null {
  const tries = raw.pendingWorkflowTask?.attempt ?? 1;
  return tries >= MANY_TRIES ? taskFails(raw.workflowExecutionInfo?.execution?.workflowId ?? '', tries) : null;
}
