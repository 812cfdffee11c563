/** Time between SIGTERM and SIGKILL, for programs and containers. */
export const GRACE_MS = 5_000;
