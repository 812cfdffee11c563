/** Which of several releases at once has its steps taken first, where their queues are busy: 1 before all others. Of the same
 * priority each has its turn. */
export const PRIORITIES = [1, 2, 3, 4, 5] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Of a release of which nothing is said; Temporal's own default. */
export const ORDINARY: Priority = 3;

export const isPriority = (value: unknown): value is Priority => PRIORITIES.some((priority) => priority === value);

/** Temporal takes no longer name for whoever has a turn. */
const LONGEST = 64;

/** Who has a turn: a release, whatever its runs. Two whose names end alike in so many characters share one. */
export const turnOf = (workflowId: string): string => workflowId.replace(/[^\x21-\x7e]/g, '-').slice(-LONGEST);
