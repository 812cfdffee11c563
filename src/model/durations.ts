import type { Queue, RunId, StepId } from './ids.js';
import type { KindName } from './kinds.js';

/** Size of a step by its time limit, for steps without earlier runs. The bounds are those of Bazel's test sizes
 * (bazel.build, "Test encyclopedia": time-outs of 1, 5, 15 and 60 minutes). */
export const SIZES = ['small', 'medium', 'large', 'enormous', 'endless'] as const;
export type Size = (typeof SIZES)[number];
const BOUNDS_MINUTES = [1, 5, 15, 60, Infinity] as const;

export const sizeOf = (limitMs: number): Size =>
  SIZES[BOUNDS_MINUTES.findIndex((minutes) => limitMs <= minutes * 60_000)]!;

/** Steps that are expected to take equally long. */
export interface StepClass {
  readonly kind: KindName;
  readonly on: Queue;
  readonly size: Size;
}

/** Durations of a run's executed steps. Reused steps are left out. The report step writes it once, as record
 * `durations/<release>/<at>-<run>`. */
export interface Durations {
  readonly release: string;
  readonly run: RunId;
  /** When the run began, ISO 8601. */
  readonly at: string;
  readonly classes: readonly StepClass[];
  /** Index of the step's class and milliseconds, by step. A tuple keeps 20,000 steps small. */
  readonly steps: Readonly<Record<StepId, readonly [of: number, ms: number]>>;
}
