import type { Queue } from './ids.js';
import type { KindName } from './kinds.js';

/** Assumed duration of a kind: milliseconds, or a share of each step's time limit, 0 to 1. */
export type Assumed = { readonly ms: number } | { readonly share: number };

/** Machines of a simulation. */
export interface Fleet {
  readonly queues: Readonly<Record<Queue, Crew>>;
  /** Takes precedence over measured durations. */
  readonly durations: Readonly<Partial<Record<KindName, Assumed>>>;
}
export interface Crew {
  readonly workers: number;
  readonly slots: number;
}
