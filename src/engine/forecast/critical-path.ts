import type { StepId } from '../../model/ids.js';
import { dependents, inOrder, type Dependent } from '../run/edges.js';

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

/** Returns the longest chain of steps by duration, the lower bound of the run. Ignores edges to steps that are absent.
 * @param durationsMs by step id. A step without one counts as 0. */
export function criticalPath(steps: readonly PathStep[], durationsMs: ReadonlyMap<StepId, number>): CriticalPath {
  const numbers = new Map(steps.map(({ id }, step) => [id, step]));
  const edges = (ids: readonly StepId[]): readonly number[] => ids.flatMap((id) => numbers.get(id) ?? []);
  const graph = steps.map(({ id, needs, wants, after }) => ({
    ...{ id, needs: edges(needs), wants: edges(wants), after: edges(after) },
  }));
  const waiting = dependents(graph);
  const order = inOrder(graph, waiting);
  const weights = steps.map(({ id }) => durationsMs.get(id) ?? 0);
  const before: (number | undefined)[] = [];
  const ends: number[] = [];
  for (const step of order) {
    const { needs, wants, after } = graph[step]!;
    before[step] = longestOf([...needs, ...wants, ...after], ends);
    ends[step] = (before[step] === undefined ? 0 : ends[before[step]]!) + weights[step]!;
  }
  const last = longestOf(order, ends);
  const ms = last === undefined ? 0 : ends[last]!;
  const path: StepId[] = [];
  for (let at = last; at !== undefined; at = before[at]) path.unshift(steps[at]!.id);
  const left = remaining(order, waiting, weights);
  const slack = (step: number): number => ms - (ends[step]! + left[step]! - weights[step]!);
  return { steps: path, ms, slackMs: new Map(order.map((step) => [steps[step]!.id, slack(step)])) };
}

/** Returns the first of the steps with the largest number. Undefined without steps. */
export const longestOf = (steps: readonly number[], by: readonly number[]): number | undefined =>
  steps.reduce<number | undefined>((a, b) => (a !== undefined && by[a]! >= by[b]! ? a : b), undefined);
