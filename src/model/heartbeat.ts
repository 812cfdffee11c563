import type { Queue } from './ids.js';

/** Interval of a worker's heartbeats to Temporal. */
export const BEAT_MS = 2000;

/** Temporal's data of one worker process. Times are milliseconds since 1970. */
export interface Heartbeat {
  readonly identity: string;
  readonly queue: Queue;
  readonly host: string;
  /** Time of the last heartbeat, by the worker's clock. */
  readonly atMs: number;
  readonly startedMs: number;
  readonly running: boolean;
  readonly used: number;
  readonly free: number;
  /** Open polls. 0 while all slots are used. */
  readonly pollers: number;
}

/** Interval of an attempt's activity heartbeats. */
export const HEARTBEAT_MS = 1_000;
