import type { Digest } from '../model/digest.js';
import { fail } from '../model/failure.js';
import type { GateRules } from '../model/gate.js';
import type { Queue, StepId } from '../model/ids.js';
import { headOf, poolOf, type Plan, type Skeleton, type Step } from '../model/plan.js';
import type { Queues } from '../model/schema/profile.js';
import { servicesOf } from './services.js';

/** Returns the skeleton of a plan, with steps in topological order. */
export function skeletonOf(plan: Plan, digest: Digest, queues: Queues): Skeleton {
  const ordered = topological(plan.steps);
  const index = new Map(ordered.map((step, at) => [step.id, at]));
  const numbers = (ids: readonly StepId[]): readonly number[] => ids.map((id) => index.get(id)!);
  const proofWaits = longestWaits(ordered);
  const notify = toldOf(plan);
  const failedBefore = failuresIn(plan);
  const used = [...new Set(ordered.map((step) => step.on))].sort();
  return {
    plan: digest,
    ...headOf(plan),
    steps: ordered.map(
      ({ id, kind, stage, on, needs, wants, after, limitMs, retry, onFailure, tolerate, cache, ...step }, at) => {
        const gate = kind === 'passGate' ? (step.params as GateRules) : undefined;
        const services = servicesOf(ordered[at]!);
        const pool = poolOf(ordered[at]!);
        const waitMs = stage === 'prove' ? proofWaits.get(on) : waitOf(step);
        return {
          ...{ id, kind, stage, on, needs: numbers(needs), wants: numbers(wants), after: numbers(after), limitMs },
          ...(waitMs !== undefined && waitMs !== Infinity && { waitMs }),
          retry: withoutRules(retry),
          ...(onFailure !== undefined && { onFailure }),
          ...(tolerate !== undefined && { tolerate }),
          ...(cache && { cache }),
          ...(services.length > 0 && { services }),
          ...(pool !== null && { pool }),
          ...(gate && { gate }),
        };
      },
    ),
    dropped: plan.dropped.map(({ id, because }) => ({ id, because })),
    ...(plan.assumed && { assumed: plan.assumed.map(({ id, because }) => ({ id, because })) }),
    ...(notify !== null && { notify }),
    ...(failedBefore.length > 0 && { failedBefore }),
    ...(plan.retries !== undefined && { retries: plan.retries }),
    windows: Object.fromEntries(used.map((queue) => [queue, queues[queue]?.window ?? 1])),
  };
}

/** Failures of wheels that lists want and that are not built again. A plan holds few. */
const failuresIn = ({ imports }: Plan): readonly string[] =>
  (imports?.of ?? []).flatMap(({ notices }) =>
    notices
      .filter(({ code }) => code === 'FAILED_BEFORE')
      .map(({ subject, why }) => `${subject} failed before: ${why}`),
  );

/** Returns the listeners of this run. A rehearsal has only those with `rehearsal: true`. */
function toldOf({ notify, profile }: Plan): Skeleton['notify'] | null {
  const listeners = (notify?.listeners ?? []).filter(({ rehearsal }) => rehearsal || !profile.rehearsal);
  if (notify === undefined || listeners.length === 0) return null;
  return { listeners: listeners.map(({ name, on }) => ({ name, on })), remind: notify.remind };
}

/** Removes the failure rules: the worker reads them from the plan. */
const withoutRules = ({ exit: _, lines: __, ...retry }: Step['retry']): Step['retry'] => retry;

/** Limit of a step's wait for a worker. Infinity unless the release file limits it. */
const waitOf = ({ unserved }: Pick<Step, 'unserved'>): number => unserved?.limitMs ?? Infinity;

/** A proof waits as long as the most patient step of its queue. */
function longestWaits(steps: readonly Step[]): ReadonlyMap<Queue, number> {
  const longest = new Map<Queue, number>();
  for (const step of steps.filter(({ stage }) => stage !== 'prove'))
    longest.set(step.on, Math.max(longest.get(step.on) ?? 0, waitOf(step)));
  return longest;
}

/** Sorts steps topologically, close to the plan's order. Depth-first without recursion, because a chain may have 20,000
 * steps. */
export function topological(steps: readonly Step[]): readonly Step[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const state = new Map<StepId, 'open' | 'done'>();
  const ordered: Step[] = [];
  for (const root of steps) {
    const stack = [root];
    while (stack.length > 0) {
      const step = stack.at(-1)!;
      if (state.get(step.id) === 'done') stack.pop();
      else if (state.get(step.id) === 'open') {
        state.set(step.id, 'done');
        ordered.push(step);
        stack.pop();
      } else {
        state.set(step.id, 'open');
        stack.push(...waitedFor(step, byId, state));
      }
    }
  }
  return ordered;
}

function waitedFor(step: Step, byId: ReadonlyMap<StepId, Step>, state: ReadonlyMap<StepId, string>): readonly Step[] {
  const edges = [...step.needs, ...step.wants, ...step.after].filter((id) => state.get(id) !== 'done').reverse();
  return edges.map((id) => {
    if (state.get(id) === 'open')
      throw fail({
        code: 'PLAN_HAS_CYCLE',
        class: 'bug',
        message: `${step.id} and ${id} wait for each other`,
        next: 'Report this with the release file: the planner must not make such a plan.',
      });
    return byId.get(id)!;
  });
}
