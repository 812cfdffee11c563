import { RELEASE_WORKFLOW } from '../model/ids.js';
import { ask } from './ask.js';
import type { Door } from './door.js';
import type { Recent } from './index.js';
import { isOpen } from './status.js';

/** Releases that the server remembers, newest start first. */
export async function recentRuns(door: Door, limit: number): Promise<readonly Recent[]> {
  const found: Recent[] = [];
  await ask(door, 'list releases', { workflowId: RELEASE_WORKFLOW }, async () => {
    const list = door.client.workflow.list({
      query: `WorkflowType = '${RELEASE_WORKFLOW}'`,
      pageSize: Math.min(limit, 200),
    });
    for await (const { workflowId, runId, startTime, status } of list) {
      found.push({ workflowId, run: runId, startedAt: startTime.getTime(), open: isOpen(status.name) });
      if (found.length >= limit) break;
    }
  });
  return found.sort((a, b) => b.startedAt - a.startedAt);
}
