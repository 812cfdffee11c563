import type { WorkflowExecutionDescription } from '@temporalio/client';
import type { ClientContext } from './client-context.js';

export type Described = Pick<WorkflowExecutionDescription, 'raw'>;

/** What Temporal tells of an open run and of its generations that are open: each has activities of its own. */
export async function wholeRun({ client }: ClientContext, root: Described): Promise<readonly Described[]> {
  const children = (root.raw.pendingChildren ?? []).filter(({ workflowTypeName }) => workflowTypeName === 'generation');
  const described = children.map(({ workflowId, runId }) =>
    // One that ended meanwhile has nothing under way.
    client.workflow
      .getHandle(workflowId ?? '', runId ?? undefined)
      .describe()
      .catch(() => null),
  );
  return [root, ...(await Promise.all(described)).filter((one) => one !== null)];
}

/** How often the task of a run or of a generation was tried, where it fails again and again: then its code has a bug. A worker that
 * is killed costs a try or two. */
export function failingTask(
  whole: readonly Described[],
): { readonly workflowId: string; readonly tries: number } | null {
  for (const { raw } of whole) {
    const tries = raw.pendingWorkflowTask?.attempt ?? 1;
    if (tries >= MANY_TRIES) return { workflowId: raw.workflowExecutionInfo?.execution?.workflowId ?? '', tries };
  }
  return null;
}
const MANY_TRIES = 5;
