import type { Queue } from './ids.js';

/** Between two beats of a worker at Temporal. */
export const BEAT_MS = 2000;

/** What Temporal tells of one worker process. Times are milliseconds since 1970. */
export interface Heartbeat {
  readonly identity: string;
  readonly queue: Queue;
  readonly host: string;
  /** When it beat last, by its own clock. */
  readonly atMs: number;
  readonly startedMs: number;
  /** It still takes steps. */
  readonly running: boolean;
  readonly used: number;
  readonly free: number;
  /** Open requests for steps; none while all its slots are used. */
  readonly pollers: number;
}

/** How often an attempt of a step tells Temporal that it lives. */
export const HEARTBEAT_MS = 1_000;
