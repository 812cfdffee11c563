import type { WorkflowExecutionDescription } from '@temporalio/client';

type Described = Pick<WorkflowExecutionDescription, 'raw'>;

/** Returns the attempts of a run's workflow task. Null below MANY_TRIES: a killed worker costs one or two. More mean
 * a bug in the workflow's code. */
export function failingTask({ raw }: Described): { readonly workflowId: string; readonly tries: number } | null {
  const tries = raw.pendingWorkflowTask?.attempt ?? 1;
  return tries >= MANY_TRIES ? { workflowId: raw.workflowExecutionInfo?.execution?.workflowId ?? '', tries } : null;
}
const MANY_TRIES = 5;
