import { workflowInfo } from '@temporalio/workflow';

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
