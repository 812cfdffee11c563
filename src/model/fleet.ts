import type { Queue } from './ids.js';
import type { KindName } from './kinds.js';

/** How long steps of a kind are said to take: milliseconds, or a share of each step's time limit, 0 to 1. */
export type Assumed = { readonly ms: number } | { readonly share: number };

/** Machines to carry plans out on, as far as a simulation needs to know them. */
export interface Fleet {
  readonly queues: Readonly<Record<Queue, Crew>>;
  /** Counts before what was measured. */
  readonly durations: Readonly<Partial<Record<KindName, Assumed>>>;
}
/** Workers of a queue, and how many steps each has under way at once. */
export interface Crew {
  readonly workers: number;
  readonly slots: number;
}
