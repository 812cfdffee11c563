import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { BISECT_WORKFLOW, type BisectInput, type BisectStatus } from '../model/bisect.js';
import { CONTROL } from '../model/ids.js';
import { STATUS_QUERY } from '../model/messages.js';
import { ask, orSilent } from './ask.js';
import { resultOf } from './carry-out.js';
import type { ClientContext } from './client-context.js';
import { bisectCancelled } from './errors.js';
import type { Started } from './index.js';
import { isOpen } from './status.js';

const QUERY_LIMIT_MS = 10_000;

/** Starts a bisect, or returns the open one. */
export async function startBisect(context: ClientContext, workflowId: string, input: BisectInput): Promise<Started> {
  return ask(context, `start ${workflowId}`, { workflowId }, async () => {
    const { workflow } = context.client;
    try {
      const handle = await workflow.start(BISECT_WORKFLOW, {
        workflowId,
        taskQueue: CONTROL,
        args: [input],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        staticSummary: `${input.test}: ${input.good.slice(0, 12)}..${input.bad.slice(0, 12)}`,
      });
      return { workflowId, run: handle.firstExecutionRunId, existing: false };
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return { workflowId, run: (await workflow.getHandle(workflowId).describe()).runId, existing: true };
    }
  });
}

/** Returns the status of a bisect: by query while it is open, else its result. */
export function bisectStatus(context: ClientContext, workflowId: string, run?: string): Promise<BisectStatus> {
  return ask(context, `tell the status of ${workflowId}`, { workflowId, run }, async () => {
    const handle = context.client.workflow.getHandle(workflowId, run);
    const result = () =>
      resultOf<BisectStatus>(
        () => handle.result(),
        (why) => bisectCancelled(workflowId, why),
      );
    if (!isOpen((await handle.describe()).status.name)) return result();
    const query = (): Promise<BisectStatus> => handle.query<BisectStatus>(STATUS_QUERY);
    return context.client.withDeadline(Date.now() + QUERY_LIMIT_MS, query).catch(orSilent(workflowId));
  });
}
