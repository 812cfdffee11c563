/** Events after which a run continues as new. The server refuses an event after 51,200; the rest is for what runs and for actions
 * until then. */
export const MOST_EVENTS = 30_000;

/** Workflow tasks after which a run continues as new. A replay needs 2 ms of CPU for each, and the server waits 10 s
 * for it. */
export const MOST_TASKS = 2000;
