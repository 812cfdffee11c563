import { EDGE_KINDS } from '../../engine/run/edges.js';
import { cacheOf } from '../../model/kinds.js';
import type { Plan, Step } from '../../model/plan.js';
import { topological } from '../../plan/skeleton.js';

export interface Graph {
  readonly steps: readonly Step[];
  /** Steps that wait for a step, by any edge. */
  readonly behind: readonly (readonly number[])[];
  /** Steps that each step waits for. */
  readonly before: readonly (readonly number[])[];
}

const graphs = new WeakMap<Plan, Graph>();

export function graphOf(plan: Plan): Graph {
  const known = graphs.get(plan);
  if (known) return known;
  const steps = topological(plan.steps);
  const numbers = new Map(steps.map(({ id }, number) => [id, number]));
  const before = steps.map((step) => EDGE_KINDS.flatMap((edge) => step[edge].map((id) => numbers.get(id)!)));
  const behind = steps.map((): number[] => []);
  before.forEach((list, step) => list.forEach((on) => behind[on]!.push(step)));
  const graph = { steps, behind, before };
  graphs.set(plan, graph);
  return graph;
}

/** True if its result can be found by its step key. */
export const canBeKnown = (step: Step): boolean => cacheOf(step) === 'pure';
