import { lackingQueues } from '../engine/simulate/simulate.js';
import type { Problem } from '../model/failure.js';
import type { Fleet } from '../model/fleet.js';
import type { Queue } from '../model/ids.js';
import type { Skeleton } from '../model/plan.js';
import { problems } from '../plan/errors.js';
import { inOrder } from '../plan/in-order.js';
import type { ReadFile } from '../plan/read/release-file.js';

/** Returns the problems of a fleet file for this plan: unknown queues, and queues of the plan without a worker.
 * @param known queues of this installation */
export function fleetFaults(
  { content, at }: ReadFile<Fleet>,
  plan: Skeleton,
  known: Readonly<Record<Queue, unknown>>,
): readonly Problem[] {
  const names = new Set([...plan.steps.map(({ on }) => on), ...Object.keys(known)]);
  const strange = Object.keys(content.queues).filter((queue) => !names.has(queue));
  return inOrder([
    ...strange.map((queue) => problems.unknownQueue(at(['queues', queue], 'key'), queue, names)),
    // The problem of a missing queue is placed at `queues:`.
    ...lackingQueues(plan, content).map((problem) => ({
      ...problem,
      ...at(['queues', problem.path!.slice('queues.'.length)], 'key'),
      path: problem.path!,
    })),
  ]);
}
