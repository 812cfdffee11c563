import type { WheelSubject } from './python/wheel-subject.js';

/** States of a wanted wheel on one target, in the order of columns. */
export const CACHE_STATES = [
  'upstream',
  'here',
  'to build',
  'failed',
  'known',
  'left out',
  'unanswered',
  'impossible',
] as const;
export type CacheState = (typeof CACHE_STATES)[number];

/** A wanted version on one Python, and what became of it. */
export interface RefreshedWheel extends Omit<WheelSubject, 'platform'> {
  readonly state: CacheState;
  /** At most `LONGEST_BECAUSE` characters. */
  readonly because: string;
}

/** The wheels that one pipeline wanted on a platform in its last run that published to the index. The index has one record for each pipeline,
 * which its writer replaces. */
export interface IndexRefresh {
  readonly slipway: 1;
  readonly pipeline: string;
  readonly workflowId: string;
  /** Start of the run, ISO 8601. */
  readonly at: string;
  /** Sorted by project, version and Python. */
  readonly wheels: readonly RefreshedWheel[];
}

/** Wheels that a run wanted, by platform. The store keeps them also for runs that publish nothing. */
export type Wanted = Readonly<Record<string, IndexRefresh>>;

export const LONGEST_BECAUSE = 500;
/** Most bytes of a record that are read: 100,000 wheels with long reasons. */
export const MOST_REFRESH_BYTES = 2 ** 26;
