/** Priority among concurrent releases on busy queues, 1 first. Releases of the same priority take turns. */
export const PRIORITIES = [1, 2, 3, 4, 5] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Default priority, the same as Temporal's. */
export const ORDINARY: Priority = 3;

export const isPriority = (value: unknown): value is Priority => PRIORITIES.some((priority) => priority === value);

/** Temporal's limit for a fairness key. */
const LONGEST = 64;

/** Fairness key of a release, the same for all of its runs. Names with the same last 64 characters share a key. */
export const turnOf = (workflowId: string): string => workflowId.replace(/[^\x21-\x7e]/g, '-').slice(-LONGEST);
