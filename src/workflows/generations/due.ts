import { workflowInfo } from '@temporalio/workflow';
import { fail } from '../../model/failure.js';
import type { Skeleton } from '../../model/plan.js';
import { planTooLarge } from '../errors.js';

/** Steps that one run carries: what remains of more would not fit into one payload for the next generation. */
const MOST_STEPS = 20_000;

export function assertCarriable({ steps }: Pick<Skeleton, 'steps'>): void {
  if (steps.length > MOST_STEPS) throw fail(planTooLarge(steps.length, MOST_STEPS));
}

/** The server refuses an event after 51,200, and replaying a long history takes its time. */
const EVENTS = 4000;
/** A generation must get further than its own start. */
const FEWEST_EVENTS = 60;

/** @param wanted for tests, which cannot wait for thousands of events */
export const eventsOf = (wanted: unknown): number =>
  typeof wanted === 'number' && wanted > 0 ? Math.max(FEWEST_EVENTS, wanted) : EVENTS;

/** Whether the history has grown so far that the next generation must take over. */
export function handOverDue(handOverAfter: number): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return historyLength > handOverAfter || continueAsNewSuggested;
}
