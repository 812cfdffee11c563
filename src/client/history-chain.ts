import type { WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import type { ContinuedMemo } from '../model/checkpoint.js';
import { CONTINUED_MEMO } from '../model/messages.js';
import type { ClientContext } from './client-context.js';

/** HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT of temporal.api.enums.v1. */
const CLOSE_EVENT = 2;

export interface Latest {
  readonly handle: WorkflowHandle;
  readonly description: WorkflowExecutionDescription;
}

/** Finds the last history of a run. A long run continues as new: its first histories are closed, and each names the
 * next.
 * @param run Temporal's id of any history of the run; absent: of the last run with this workflow id */
export async function latest(context: ClientContext, workflowId: string, run?: string): Promise<Latest> {
  for (let at = run; ;) {
    const description = await context.client.workflow.getHandle(workflowId, at).describe();
    const next = await nextHistory(context, description);
    if (next === null) return { handle: context.client.workflow.getHandle(workflowId, description.runId), description };
    at = next;
  }
}

/** Asks the last history. Asks the next one if the run continued as new meanwhile. */
export async function askLatest<T>(
  context: ClientContext,
  workflowId: string,
  run: string | undefined,
  act: (latest: Latest) => Promise<T>,
): Promise<T> {
  for (let at = run; ;) {
    const found = await latest(context, workflowId, at);
    try {
      return await act(found);
    } catch (error) {
      const now = await found.handle.describe().catch(() => null);
      const next = now && (await nextHistory(context, now).catch(() => null));
      if (!next) throw error;
      at = next;
    }
  }
}

/** Returns Temporal's id of the history that continues a closed one. Null if none does. */
export async function nextHistory(
  { client }: ClientContext,
  { status, workflowId, runId }: Pick<WorkflowExecutionDescription, 'status' | 'workflowId' | 'runId'>,
): Promise<string | null> {
  if (status.name !== 'CONTINUED_AS_NEW') return null;
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    historyEventFilterType: CLOSE_EVENT,
  });
  const last = history?.events?.at(-1);
  return last?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId || null;
}

/** Returns the id of a run and when it began, from any of its histories. */
export function runOf({
  runId,
  startTime,
  memo,
}: Pick<WorkflowExecutionDescription, 'runId' | 'startTime' | 'memo'>): ContinuedMemo {
  const told = memo?.[CONTINUED_MEMO] as ContinuedMemo | undefined;
  return told ?? { run: runId, startedAt: startTime.getTime() };
}
