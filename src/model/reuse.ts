import type { Digest } from './digest.js';
import type { RunId, StepId } from './ids.js';

/** Step number of the cache lookup, which is no step of the plan. */
export const CACHE_LOOKUP = -1;

/** Steps without a cache lookup: `all`, or these. */
export type NoCache = 'all' | readonly number[];

export const isAnew = ({ noCache }: { readonly noCache?: NoCache }, step: number): boolean =>
  noCache !== undefined && (noCache === 'all' || noCache.includes(step));

/** Input of one cache lookup. Steps are numbered as in the skeleton. */
export interface ReuseInput {
  readonly plan: Digest;
  readonly run: RunId;
  readonly workflowId: string;
  /** The run's last round at the start of the lookup. Absent in the first. */
  readonly round?: number;
  readonly from: readonly number[];
  readonly ended: readonly number[];
  /** Steps that are not looked up. Absent if there are none. */
  readonly except?: readonly number[];
}

/** A cache hit, now recorded in the run. */
export type Found = readonly [step: number, ms: number, note: string];

export interface Reused {
  /** In topological order. */
  readonly found: readonly Found[];
  /** Cache misses, which must be executed. */
  readonly unknown: readonly number[];
}

/** Activity `reuse` on the control queue. Walks the graph forward while step keys hit the cache. */
export type Reuse = (input: ReuseInput) => Promise<Reused>;

/** Record of a run's steps without a cache lookup. */
export interface NotLookedUp {
  readonly steps: 'all' | readonly StepId[];
}
