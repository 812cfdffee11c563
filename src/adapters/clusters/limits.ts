/** Limit of programs that end with their cluster: nearly the longest timer of Node. */
export const LONGEST_MS = 24 * 24 * 3_600_000;

/** More of the results of a test is not fetched. */
export const MOST_RESULT_BYTES = 64 * 1024 * 1024;

/** Memory of a node for objects, where the cluster does not limit its memory. */
export const OBJECT_STORE_BYTES = 200 * 1024 * 1024;
