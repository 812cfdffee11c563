import type { WorkflowExecutionInfo } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { PIPELINE_WORKFLOW, RELEASE_WORKFLOW } from '../model/ids.js';
import type { RunState } from '../model/messages.js';
import { isOfType, type WorkflowName } from '../model/workflow-types.js';
import { ask } from './ask.js';
import type { ClientContext } from './client-context.js';
import { runOf } from './history-chain.js';
import type { Recent } from './index.js';
import { readsAll, UNREADABLE } from './reads-all.js';
import { closedVerdict, isOpen } from './status.js';

const STATE = defineSearchAttributeKey('SlipwayState', SearchAttributeType.KEYWORD);
const HELD = defineSearchAttributeKey('SlipwayHeld', SearchAttributeType.INT);

/** Minimum of requested rows: the server lists open runs before closed ones, regardless of start time. */
const LOOKED_AT = 200;
/** Most rows that the server puts on a page. */
const PAGE = 1000;

export async function recentRuns(
  context: ClientContext,
  limit: number,
  type?: WorkflowName,
): Promise<readonly Recent[]> {
  const query = `${isOfType(type === undefined ? RUNS : [type])} AND ExecutionStatus != 'ContinuedAsNew'`;
  const found = await list(context, query, Math.max(limit, LOOKED_AT));
  return found.sort((a, b) => b.startedAt - a.startedAt).slice(0, limit);
}

/** Returns open runs, the newest first, a thousand at most. */
export const openRuns = (context: ClientContext): Promise<readonly Recent[]> =>
  list(context, `${isOfType(RUNS)} AND ExecutionStatus = 'Running'`, PAGE);

const RUNS = [RELEASE_WORKFLOW, PIPELINE_WORKFLOW] as const;

async function list(context: ClientContext, query: string, most: number): Promise<Recent[]> {
  const found: Recent[] = [];
  let unread: unknown;
  await ask(context, 'list runs', { workflowId: RELEASE_WORKFLOW }, async () => {
    const listed = readsAll(context, (error) => (unread ??= error)).workflow.list({
      query,
      pageSize: Math.min(most, PAGE),
    });
    for await (const one of listed) {
      if (Object.values(one.memo ?? {}).includes(UNREADABLE)) continue;
      found.push(recentOf(one));
      if (found.length >= most) break;
    }
  });
  // Without the key nothing is readable: that is no other program's doing.
  if (found.length === 0 && unread !== undefined) throw unread;
  return found;
}

function recentOf(listed: WorkflowExecutionInfo): Recent {
  const { workflowId, status, typedSearchAttributes, closeTime } = listed;
  const state = typedSearchAttributes.get(STATE) as RunState | undefined;
  const held = typedSearchAttributes.get(HELD);
  const open = isOpen(status.name);
  return {
    ...{ workflowId, ...runOf(listed), open },
    ...(state !== undefined && { state }),
    ...(open && held !== undefined && { held }),
    ...(!open && { verdict: closedVerdict(listed) }),
    ...(closeTime && { endedAt: closeTime.getTime() }),
  };
}
