import { criticalPath } from '../../engine/critical-path.js';
import type { RunStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';

export interface LongestPath {
  readonly ms: number;
  readonly steps: readonly { readonly id: string; readonly ms: number }[];
}

/** The chain of steps that decided how long a run took, with the time each took. */
export function longestPath(plan: Plan, status: RunStatus): LongestPath {
  const times = new Map(status.steps.map((step) => [step.id, step.ms ?? 0]));
  const { ms, steps } = criticalPath(plan.steps, times);
  return { ms, steps: steps.map((id) => ({ id, ms: times.get(id) ?? 0 })) };
}
