import { workflowInfo, type WorkflowInfo } from '@temporalio/workflow';

/** The server refuses an event after 51,200. The rest is for what runs and for words until the run continues as new. */
const EVENTS = 30_000;
/** The server refuses a history of more than 50 MB. */
const BYTES = 25_000_000;
/** A history must get further than its own start. */
const FEWEST_EVENTS = 60;

/** A worker that reads the history anew needs 2 ms of CPU for each workflow task, and the server waits 10 s for it. */
const TASKS = 2000;

type Length = Pick<WorkflowInfo, 'historyLength' | 'historySize'>;

/** Returns a function that tells whether the history has grown so long that the run should continue as new. The run asks it in
 * each of its turns, so it counts the workflow tasks.
 * @param wanted most events, for tests, which cannot wait for thousands */
export function watchHistory(wanted: unknown, read: () => Length = workflowInfo): () => boolean {
  const events = typeof wanted === 'number' && wanted > 0 ? Math.max(FEWEST_EVENTS, wanted) : EVENTS;
  let [tasks, last] = [0, 0];
  return () => {
    const { historyLength, historySize } = read();
    if (historyLength > last) tasks += 1;
    last = historyLength;
    return historyLength > events || historySize > BYTES || tasks > TASKS;
  };
}
