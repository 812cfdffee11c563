import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { ORDINARY, type Priority } from '../model/priority.js';
import { STAGE_IDS, type StageId } from '../model/stages.js';

const GOES_OUT = STAGE_IDS.indexOf('publish');

/** What Temporal is told of a step's priority; nothing where its workflow says it already, as one does that our client started.
 * A release that goes out is never less than ordinary: one that is half published is worse than a late one.
 * @param said by whoever started it by hand */
export function priorityOf(stage: StageId, said: Priority | undefined): ActivityOptions['priority'] {
  const { priority: inherited = {}, root, runId } = workflowInfo();
  const own = said ?? inherited.priorityKey ?? ORDINARY;
  const priorityKey = STAGE_IDS.indexOf(stage) >= GOES_OUT ? Math.min(own, ORDINARY) : own;
  return {
    ...(priorityKey !== (inherited.priorityKey ?? ORDINARY) && { priorityKey }),
    // Short: it stands in history with every step.
    ...(!inherited.fairnessKey && { fairnessKey: (root?.runId ?? runId).slice(0, 8) }),
  };
}
