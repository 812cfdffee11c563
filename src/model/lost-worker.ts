import { clock } from './counted.js';

/** A worker that died or ended during an attempt, which Temporal then gave to another. */
export interface LostWorker {
  /** Null if it died before its first heartbeat. */
  readonly worker: string | null;
  /** Time at which Temporal noticed the loss, in milliseconds since 1970. */
  readonly atMs: number;
}

export const lostSentence = ({ worker, atMs }: LostWorker): string =>
  `${worker ?? 'its worker'} was gone at ${clock(atMs)}`;
