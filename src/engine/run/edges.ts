import { fail } from '../../model/failure.js';
import { KINDS } from '../../model/kinds.js';
import type { SkeletonStep } from '../../model/plan.js';
import { planHasCycle, planHasLooseEdge } from './errors.js';
import { seen, type StepProgress } from './step-progress.js';

export type EdgeKind = 'needs' | 'wants' | 'after';
export const EDGE_KINDS = ['needs', 'wants', 'after'] as const satisfies readonly EdgeKind[];

type Edges = Pick<SkeletonStep, 'id' | EdgeKind>;

export interface Dependent {
  readonly step: number;
  readonly edge: EdgeKind;
}

/** Outcome of a step for its dependents. `left out`: skipped or dropped on purpose. `stopped`: failed, cancelled, or
 * skipped because of such a step. */
export type EdgeOutcome = 'succeeded' | 'left out' | 'stopped';

/** Version of the rules since which a step that only wants a told failure starts without it. */
const TOLD_LETS_WANTS = 4;

interface Progress {
  readonly steps: readonly SkeletonStep[];
  readonly cells: readonly StepProgress[];
  readonly engine: number;
}

/** Whether an ended step lets a dependent start; otherwise the dependent is skipped. A step skipped because of a failure
 * is `stopped`, not `left out`. Otherwise a seal would publish a release without the wheel whose source failed. */
export function lets(progress: Progress, { step, edge }: Dependent, ended: number): boolean {
  const outcome = seen(progress.cells[ended]!);
  if (edge === 'after' || outcome === 'succeeded') return true;
  if (edge === 'needs') return false;
  return outcome === 'left out' || goesOnWithout(progress, step, ended);
}

/** Whether a step starts although a step that it wants failed, or was skipped with a failure. A failed proof stops every
 * step: the run cannot end well. */
function goesOnWithout({ steps, cells, engine }: Progress, step: number, ended: number): boolean {
  if (engine < TOLD_LETS_WANTS || KINDS[steps[step]!.kind].wantsAll) return false;
  const cause = cells[ended]!.blame ?? ended;
  const { onFailure, stage } = steps[cause]!;
  return cells[cause]!.state === 'failed' && onFailure === 'tell' && stage !== 'prove';
}

/** Returns the dependents of each step, by its number. Throws PLAN_HAS_LOOSE_EDGE if an edge leads nowhere. */
export function dependents(steps: readonly Edges[]): readonly (readonly Dependent[])[] {
  const answer: Dependent[][] = steps.map(() => []);
  steps.forEach((step, index) => {
    for (const edge of EDGE_KINDS)
      for (const on of step[edge]) {
        const list = answer[on];
        if (!list) throw fail(planHasLooseEdge(step.id, on));
        list.push({ step: index, edge });
      }
  });
  return answer;
}

export const edgeCount = (step: Edges): number => step.needs.length + step.wants.length + step.after.length;

/** Returns step numbers in topological order. Throws PLAN_HAS_CYCLE on a cycle. */
export function inOrder(steps: readonly Edges[], waiting = dependents(steps)): readonly number[] {
  const open = steps.map(edgeCount);
  const order = open.flatMap((count, index) => (count === 0 ? [index] : []));
  for (let at = 0; at < order.length; at++)
    for (const { step } of waiting[order[at]!]!) if (--open[step]! === 0) order.push(step);
  const stuck = open.findIndex((count) => count > 0);
  if (stuck >= 0) throw fail(planHasCycle(steps[stuck]!.id));
  return order;
}
