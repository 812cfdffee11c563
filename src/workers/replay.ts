import type { Client } from '@temporalio/client';
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { fail } from '../model/failure.js';
import { isOfType } from '../model/workflow-types.js';
import { historyUnreadable } from './errors.js';

export interface Diverged {
  readonly workflowId: string;
  readonly run: string;
  readonly why: string;
}

const OPEN = `ExecutionStatus = 'Running' AND ${isOfType()}`;
const WHY_CHARACTERS = 300;
const NOT_READ = /\bCODEC_[A-Z_]+: .*?(?=\\*", source|$)/;

/** Replays every open workflow with this code. Returns the runs that diverge. Throws HISTORY_UNREADABLE for
 * payloads that it cannot decode: other code would not help.
 * @param code called only if a workflow is open, because bundling takes seconds */
export async function diverged(client: Client, code: () => Promise<ReplayWorkerOptions>): Promise<readonly Diverged[]> {
  const found: Diverged[] = [];
  let made: Promise<ReplayWorkerOptions> | null = null;
  for await (const { workflowId, runId } of client.workflow.list({ query: OPEN })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const options = await (made ??= code());
    await Worker.runReplayHistory(options, history, workflowId).catch((error: Error) => {
      const unread = NOT_READ.exec(error.message)?.[0];
      if (unread !== undefined) throw fail(historyUnreadable(workflowId, unread.replace(/\\+"/g, '"')), error);
      found.push({ workflowId, run: runId, why: error.message.slice(0, WHY_CHARACTERS) });
    });
  }
  return found;
}
