import { planTooLarge } from './errors.js';
import { fail } from '../model/failure.js';
import type { Skeleton } from '../model/plan.js';

/** Steps that one history carries: a chain takes 6 events a step, and the server refuses an event after 51,200. */
export const MOST_STEPS = 8000;

/** Whether the history has grown so far that a child generation must take over. The root is generation 0 and, for now,
 * the only one: hand-over is not built, and a plan that would need it is refused before it starts. What a later
 * generation needs is here: inputs are numbered, and the scheduler ignores those it has applied. */
export const handOverDue = (): boolean => false;

export function assertCarriable({ steps }: Skeleton): void {
  if (steps.length > MOST_STEPS) throw fail(planTooLarge(steps.length, MOST_STEPS));
}
