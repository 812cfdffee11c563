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
  const types = type === undefined ? [RELEASE_WORKFLOW, PIPELINE_WORKFLOW] : [type];
  const most = Math.max(limit, LOOKED_AT);
  const found: Recent[] = [];
  let unread: unknown;
  await ask(context, 'list runs', { workflowId: RELEASE_WORKFLOW }, async () => {
    const list = readsAll(context, (error) => (unread ??= error)).workflow.list({
      query: `${isOfType(types)} AND ExecutionStatus != 'ContinuedAsNew'`,
      pageSize: Math.min(most, PAGE),
    });
    for await (const listed of list) {
      if (Object.values(listed.memo ?? {}).includes(UNREADABLE)) continue;
      found.push(recentOf(listed));
      if (found.length >= most) break;
    }
  });
  // Without the key nothing is readable: that is no other program's doing.
  if (found.length === 0 && unread !== undefined) throw unread;
  return found.sort((a, b) => b.startedAt - a.startedAt).slice(0, limit);
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
