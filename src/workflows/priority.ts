import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { ORDINARY, type Priority } from '../model/priority.js';
import { STAGE_IDS, type StageId } from '../model/stages.js';

const GOES_OUT = STAGE_IDS.indexOf('publish');

/** Returns the priority of a step for Temporal. Undefined if its workflow has the priority already, as with our client.
 * A publishing step never has less than normal priority: a half-published release is worse than a late one.
 * @param said the priority of a run that was started by hand */
export function priorityOf(stage: StageId, said: Priority | undefined): ActivityOptions['priority'] {
  const { priority: inherited = {}, firstExecutionRunId } = workflowInfo();
  const own = said ?? inherited.priorityKey ?? ORDINARY;
  const priorityKey = STAGE_IDS.indexOf(stage) >= GOES_OUT ? Math.min(own, ORDINARY) : own;
  return {
    ...(priorityKey !== (inherited.priorityKey ?? ORDINARY) && { priorityKey }),
    // Keep it short. History has it with every step.
    ...(!inherited.fairnessKey && { fairnessKey: firstExecutionRunId.slice(-8) }),
  };
}
