/** Between TERM and KILL, for programs and containers. */
export const GRACE_MS = 5_000;
