import type { StepId } from '../../model/ids.js';
import type { Dependent } from '../run/edges.js';

/** Returns the longest time from the start of each step to the end of the graph, in the unit of `weights`.
 * @param order step numbers in topological order */
export function remaining(
  order: readonly number[],
  waiting: readonly (readonly Dependent[])[],
  weights: readonly number[],
): readonly number[] {
  const answer = [...weights];
  for (const index of [...order].reverse())
    for (const { step } of waiting[index]!) answer[index] = Math.max(answer[index]!, weights[index]! + answer[step]!);
  return answer;
}

export interface PathStep {
  readonly id: StepId;
  readonly needs: readonly StepId[];
  readonly wants: readonly StepId[];
  readonly after: readonly StepId[];
}
export interface CriticalPath {
  readonly steps: readonly StepId[];
  readonly ms: number;
  /** Possible delay of each step without a longer path. */
  readonly slackMs: ReadonlyMap<StepId, number>;
}

/** Returns the longest chain of steps by duration, the lower bound of the run.
 * @param durationsMs by step id. A step without one counts as 0. */
export function criticalPath(steps: readonly PathStep[], durationsMs: ReadonlyMap<StepId, number>): CriticalPath {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const best = new Map<StepId, { ms: number; before: StepId | null }>();
  const order = sorted(byId);
  for (const step of order) {
    let before: StepId | null = null;
    for (const id of known(byId, step)) if (before === null || best.get(id)!.ms > best.get(before)!.ms) before = id;
    best.set(step.id, { ms: (before === null ? 0 : best.get(before)!.ms) + (durationsMs.get(step.id) ?? 0), before });
  }
  let last: StepId | null = null;
  for (const [id, { ms }] of best) if (last === null || ms > best.get(last)!.ms) last = id;
  const path: StepId[] = [];
  for (let at = last; at !== null; at = best.get(at)!.before) path.unshift(at);
  const ms = last === null ? 0 : best.get(last)!.ms;
  const tails = tailsOf(byId, order, durationsMs);
  return { steps: path, ms, slackMs: new Map(order.map(({ id }) => [id, ms - best.get(id)!.ms - tails.get(id)!])) };
}

/** Returns the longest time from the end of each step to the end of the graph. */
function tailsOf(
  byId: ReadonlyMap<StepId, PathStep>,
  order: readonly PathStep[],
  durationsMs: ReadonlyMap<StepId, number>,
): ReadonlyMap<StepId, number> {
  const tails = new Map(order.map(({ id }) => [id, 0]));
  for (const step of [...order].reverse())
    for (const id of known(byId, step))
      tails.set(id, Math.max(tails.get(id) ?? 0, tails.get(step.id)! + (durationsMs.get(step.id) ?? 0)));
  return tails;
}

const known = (byId: ReadonlyMap<StepId, PathStep>, { needs, wants, after }: PathStep): readonly StepId[] =>
  [...needs, ...wants, ...after].filter((id) => byId.has(id));

/** Returns steps in topological order. Steps of a cycle are left out. */
function sorted(byId: ReadonlyMap<StepId, PathStep>): readonly PathStep[] {
  const open = new Map([...byId.values()].map((step) => [step.id, known(byId, step).length]));
  const waiting = new Map<StepId, StepId[]>([...byId.keys()].map((id) => [id, []]));
  for (const step of byId.values()) for (const id of known(byId, step)) waiting.get(id)!.push(step.id);
  const order = [...byId.values()].filter((step) => open.get(step.id) === 0);
  for (let at = 0; at < order.length; at++)
    for (const id of waiting.get(order[at]!.id) ?? []) {
      open.set(id, open.get(id)! - 1);
      if (open.get(id) === 0) order.push(byId.get(id)!);
    }
  return order;
}
