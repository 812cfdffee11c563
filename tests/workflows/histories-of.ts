import type { Client, WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

export interface Recorded {
  readonly id: string;
  /** As the `temporal` CLI would export it. */
  readonly history: unknown;
}

/** The histories of a run: its root's, then that of each generation. */
export async function historiesOf(client: Client, handle: WorkflowHandle): Promise<readonly Recorded[]> {
  const { runId } = await handle.describe();
  const recorded: Recorded[] = [];
  for (let number = 0; ; number++) {
    const id = number === 0 ? handle.workflowId : `${handle.workflowId}/${runId.slice(0, 8)}/g${number}`;
    const history = await client.workflow
      .getHandle(id)
      .fetchHistory()
      .catch(() => null);
    if (history === null) return recorded;
    recorded.push({ id, history: JSON.parse(historyToJSON(history)) });
  }
}
