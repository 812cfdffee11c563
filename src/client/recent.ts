import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { RELEASE_WORKFLOW } from '../model/ids.js';
import type { RunState } from '../model/messages.js';
import { ask } from './ask.js';
import type { Door } from './door.js';
import type { Recent } from './index.js';
import { isOpen } from './status.js';

const STATE = defineSearchAttributeKey('SlipwayState', SearchAttributeType.KEYWORD);

/** Releases that the server remembers, newest start first. */
export async function recentRuns(door: Door, limit: number): Promise<readonly Recent[]> {
  const found: Recent[] = [];
  await ask(door, 'list releases', { workflowId: RELEASE_WORKFLOW }, async () => {
    const list = door.client.workflow.list({
      query: `WorkflowType = '${RELEASE_WORKFLOW}'`,
      pageSize: Math.min(limit, 200),
    });
    for await (const { workflowId, runId, startTime, status, typedSearchAttributes } of list) {
      const state = typedSearchAttributes.get(STATE) as RunState | undefined;
      const about = { workflowId, run: runId, startedAt: startTime.getTime(), open: isOpen(status.name) };
      found.push(state === undefined ? about : { ...about, state });
      if (found.length >= limit) break;
    }
  });
  return found.sort((a, b) => b.startedAt - a.startedAt);
}
