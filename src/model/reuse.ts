import type { Digest } from './digest.js';
import type { RunId, StepId } from './ids.js';

/** Number of what walks the known work, among the steps of a run: it is none of them. */
export const WALK = -1;

/** Steps that are made anew, whatever is known of them; `all` of the run, or these. */
export type NoCache = 'all' | readonly number[];

/** Whether nothing is looked up for a step. */
export const isAnew = ({ noCache }: { readonly noCache?: NoCache }, step: number): boolean =>
  noCache !== undefined && (noCache === 'all' || noCache.includes(step));

/** One walk over known work. Steps are numbered as in the skeleton. */
export interface ReuseInput {
  readonly plan: Digest;
  readonly run: RunId;
  readonly workflowId: string;
  /** The run's last round when the walk began; absent in the first. */
  readonly round?: number;
  /** Steps that could begin. */
  readonly from: readonly number[];
  /** Steps that have ended. */
  readonly ended: readonly number[];
  /** Steps that are not looked up. Absent if there are none. */
  readonly except?: readonly number[];
}

/** A step whose result was known, and now stands in the run. */
export type Found = readonly [step: number, ms: number, note: string];

export interface Reused {
  /** Each after those it waits for. */
  readonly found: readonly Found[];
  /** Steps without a cached result: they must be carried out. */
  readonly unknown: readonly number[];
}

/** Activity `reuse` on the control queue: walks the graph forward while step keys are known. */
export type Reuse = (input: ReuseInput) => Promise<Reused>;

/** Record of a run in which steps were not looked up. */
export interface NotLookedUp {
  readonly steps: 'all' | readonly StepId[];
}
