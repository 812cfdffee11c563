import { workflowInfo, type WorkflowInfo } from '@temporalio/workflow';
import { MOST_EVENTS, MOST_TASKS } from '../engine/checkpoint/history-limits.js';

/** The server refuses a history of more than 50 MB. */
const BYTES = 25_000_000;
/** A history must get further than its own start. */
const FEWEST_EVENTS = 60;

type Length = Pick<WorkflowInfo, 'historyLength' | 'historySize'>;

/** Returns a function that tells whether the history has grown so long that the run should continue as new. The run asks it in
 * each of its turns, so it counts the workflow tasks.
 * @param wanted most events, for tests, which cannot wait for thousands */
export function watchHistory(wanted: unknown, read: () => Length = workflowInfo): () => boolean {
  const events = typeof wanted === 'number' && wanted > 0 ? Math.max(FEWEST_EVENTS, wanted) : MOST_EVENTS;
  let [tasks, last] = [0, 0];
  return () => {
    const { historyLength, historySize } = read();
    if (historyLength > last) tasks += 1;
    last = historyLength;
    return historyLength > events || historySize > BYTES || tasks > MOST_TASKS;
  };
}
