import * as is from '../../model/check.js';
import { problems, skeleton } from '../../model/answers.js';
import { MOST_STEPS } from '../../model/plan-size.js';
import type { Policies } from '../run/policies.js';
import type { SchedulerSnapshot } from './snapshot.js';
import type { Skeleton } from '../../model/plan.js';

const isObject: is.Check = (value) => (is.isObject(value) ? null : 'is no object');
const why = is.orNull(is.text(100_000));
const states = ['waiting', 'backing off', 'held', 'at gate', 'done', 'cached', 'failed', 'skipped', 'cancelled'];

const progress = is.shape({
  state: is.oneOf(...states, 'dropped'),
  attempt: is.whole(),
  failures: is.list(is.text(100), 100_000),
  problems: is.maybe(problems),
});
const row: is.Check = (value) =>
  Array.isArray(value) && value.length === 2 ? (is.whole()(value[0]) ?? progress(value[1])) : 'is no row of a step';

/** One check per policy. A new policy does not compile without its line. */
const policies: Readonly<Record<keyof Policies, is.Check>> = {
  ...{ cacheLookup: isObject, conflicts: isObject, gates: isObject, outages: isObject },
  ...{ reminders: isObject, retryBudget: isObject, unservedQueues: isObject, windows: isObject },
};
const checkpoint = is.shape({
  scheduler: is.shape({
    run: is.shape({ lastApplied: is.whole(), round: is.whole(1), engine: is.whole(1), paused: why, cancelled: why }),
    nowMs: is.whole(),
    policies: is.shape(policies),
    steps: is.list(row, MOST_STEPS),
  }),
  cancelled: why,
  refused: problems,
  failedNotifications: problems,
  pendingNotifications: is.list(isObject, 10_000),
  unaudited: is.list(isObject, 100_000),
});

/** Returns why the answer of `loadCheckpoint` is no checkpoint of the run. Null if it is one. Any program that polls
 * the queue can answer.
 * @param plan digest of the run's plan, from its memo */
export function checkpointFault(found: unknown, plan: unknown): string | null {
  if (!is.isObject(found)) return 'is no object';
  const fault = skeletonFault(found['skeleton']) ?? checkpoint(found);
  if (fault !== null) return fault;
  const { skeleton, scheduler } = found as { skeleton: { plan: string; steps: unknown[] }; scheduler: unknown };
  if (skeleton.plan !== plan) return `holds the plan ${skeleton.plan}, and the run has ${String(plan)}`;
  const { steps } = scheduler as SchedulerSnapshot;
  const strange = steps.find(([step]) => step >= skeleton.steps.length);
  return strange === undefined ? null : `has a row for step ${strange[0]}, and the plan has ${skeleton.steps.length}`;
}

/** Returns why the answer of `makePlan` is not a plan. Null if it is one. Any program that polls the queue can answer. */
export const skeletonFault = (made: unknown): string | null => skeleton(made) ?? edgesFault(made as Skeleton);

function edgesFault({ steps }: Skeleton): string | null {
  const strange = steps.find(({ needs, wants, after }) =>
    [...needs, ...wants, ...after].some((on) => on >= steps.length),
  );
  return strange === undefined ? null : `has an edge of ${JSON.stringify(strange.id)} to a step that it does not have`;
}
