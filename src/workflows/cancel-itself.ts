import { CancellationScope, executeChild, getExternalWorkflowHandle, workflowInfo } from '@temporalio/workflow';
import { fail } from '../model/failure.js';
import { CONTROL, type RunId } from '../model/ids.js';
import { startedByHand } from './errors.js';
import { coded } from './fatal-errors.js';

/** Asks Temporal to cancel the run that starts it: the server refuses such a request from the run itself. */
export async function requestCancel(workflowId: string, runId: string): Promise<void> {
  try {
    onlyChildOf({ workflowId, runId });
  } catch (error) {
    throw coded(error, { id: 'a request to cancel', kind: 'requestCancel', on: CONTROL });
  }
  await getExternalWorkflowHandle(workflowId, runId).cancel();
}

/** A run closes as CANCELED only where Temporal was asked to cancel it; our signal alone has not asked. */
export async function cancelItself(): Promise<void> {
  const { workflowId, runId } = workflowInfo();
  const child = `${workflowId}/${runId.slice(0, 8)}/cancel`;
  await CancellationScope.nonCancellable(() =>
    executeChild(requestCancel, { workflowId: child, args: [workflowId, runId], staticSummary: 'cancelling' }),
  );
}

/** Throws WORKFLOW_STARTED_BY_HAND unless the parent run started this workflow. Its input comes from no other. */
function onlyChildOf(root: { readonly workflowId: string; readonly runId: RunId } | undefined): void {
  const { parent, workflowType } = workflowInfo();
  if (parent?.workflowId === root?.workflowId && parent?.runId === root?.runId && parent !== undefined) return;
  throw fail(startedByHand(workflowType));
}
