import { CancellationScope, executeChild, getExternalWorkflowHandle, workflowInfo } from '@temporalio/workflow';
import { CONTROL } from '../model/ids.js';
import { coded } from './fatal-errors.js';
import { onlyChildOf } from './only-child.js';

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
