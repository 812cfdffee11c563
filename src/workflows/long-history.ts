import { workflowInfo } from '@temporalio/workflow';

/** The server refuses an event after 51,200. The rest is for what runs and for words until the run continues as new. */
const EVENTS = 30_000;
/** The server refuses a history of more than 50 MB. */
const BYTES = 25_000_000;
/** A history must get further than its own start. */
const FEWEST_EVENTS = 60;

/** Returns how many events a history may have.
 * @param wanted for tests, which cannot wait for thousands of events */
export const eventsOf = (wanted: unknown): number =>
  typeof wanted === 'number' && wanted > 0 ? Math.max(FEWEST_EVENTS, wanted) : EVENTS;

/** Returns whether the history has grown so long that the run should continue as new. */
export function isHistoryLong(events: number): boolean {
  const { historyLength, historySize } = workflowInfo();
  return historyLength > events || historySize > BYTES;
}
