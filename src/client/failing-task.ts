import type { WorkflowExecutionDescription } from '@temporalio/client';

type Described = Pick<WorkflowExecutionDescription, 'raw'>;

/** Returns how often the workflow task of a run was tried. Null unless it fails again and again: then the workflow's code has a
 * bug. A worker that is killed costs a try or two. */
export function failingTask({ raw }: Described): { readonly workflowId: string; readonly tries: number } | null {
  const tries = raw.pendingWorkflowTask?.attempt ?? 1;
  return tries >= MANY_TRIES ? { workflowId: raw.workflowExecutionInfo?.execution?.workflowId ?? '', tries } : null;
}
const MANY_TRIES = 5;
