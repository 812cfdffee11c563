import type { Client, WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

export interface Recorded {
  readonly id: string;
  /** As the `temporal` CLI would export it. */
  readonly history: unknown;
}

/** Returns the histories of a run, the first one first.
 * @param first Temporal's id of the first; absent: of the handle's */
export async function historiesOf(
  client: Client,
  handle: WorkflowHandle,
  first?: string,
): Promise<readonly Recorded[]> {
  const { workflowId } = handle;
  const recorded: Recorded[] = [];
  for (let at: string | null | undefined = first ?? (await handle.describe()).runId; at;) {
    const history = await client.workflow.getHandle(workflowId, at).fetchHistory();
    recorded.push({ id: workflowId, history: JSON.parse(historyToJSON(history)) });
    at = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return recorded;
}
