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

/** A pinned run stays with the build that took it, and no other code carries it on. */
const UNPINNED = `(TemporalWorkflowVersioningBehavior IS NULL OR TemporalWorkflowVersioningBehavior != 'Pinned')`;
const OPEN = `ExecutionStatus = 'Running' AND ${isOfType()}`;
/** The SDK wraps the sentence that names event and command into some hundred characters. */
const CAUSE = /\[TMPRL\d+\] [^"\\]+/;
const WHY_CHARACTERS = 300;
const NOT_READ = /\bCODEC_[A-Z_]+: .*?(?=\\*", source|$)/;

/** Replays every open workflow that this code may carry on: those of a build, or those that are not pinned. Returns the runs that diverge. Throws HISTORY_UNREADABLE for
 * payloads that it cannot decode: other code would not help.
 * @param code called only if a workflow is open, because bundling takes seconds */
export async function diverged(
  client: Client,
  code: () => Promise<ReplayWorkerOptions>,
  build = '',
): Promise<readonly Diverged[]> {
  const found: Diverged[] = [];
  const whose = build === '' ? UNPINNED : `TemporalWorkerDeploymentVersion = '${build}'`;
  let made: Promise<ReplayWorkerOptions> | null = null;
  for await (const { workflowId, runId } of client.workflow.list({ query: `${OPEN} AND ${whose}` })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const options = await (made ??= code());
    await Worker.runReplayHistory(options, history, workflowId).catch((error: Error) => {
      const unread = NOT_READ.exec(error.message)?.[0];
      if (unread !== undefined) throw fail(historyUnreadable(workflowId, unread.replace(/\\+"/g, '"')), error);
      found.push({
        workflowId,
        run: runId,
        why: (CAUSE.exec(error.message)?.[0] ?? error.message).slice(0, WHY_CHARACTERS),
      });
    });
  }
  return found;
}
