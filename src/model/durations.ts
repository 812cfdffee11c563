import type { Queue, RunId, StepId } from './ids.js';
import type { KindName } from './kinds.js';

/** Size of a step by its time limit, which is all that is known of it before it ran; the bounds are those of Bazel's test sizes
 * (bazel.build, "Test encyclopedia": time-outs of 1, 5, 15 and 60 minutes). */
export const SIZES = ['small', 'medium', 'large', 'enormous', 'endless'] as const;
export type Size = (typeof SIZES)[number];
const BOUNDS_MINUTES = [1, 5, 15, 60, Infinity] as const;

export const sizeOf = (limitMs: number): Size =>
  SIZES[BOUNDS_MINUTES.findIndex((minutes) => limitMs <= minutes * 60_000)]!;

/** Steps that are alike as far as how long they take. */
export interface StepClass {
  readonly kind: KindName;
  readonly on: Queue;
  readonly size: Size;
}

/** How long each step of a run took that was really carried out; what was reused took no time and is left out. Written once, by
 * the report step: record `durations/<release>/<at>-<run>`. */
export interface Durations {
  readonly release: string;
  readonly run: RunId;
  /** When the run began, ISO 8601. */
  readonly at: string;
  readonly classes: readonly StepClass[];
  /** Number of its class and milliseconds, by step. A row, not an object: there may be twenty thousand. */
  readonly steps: Readonly<Record<StepId, readonly [of: number, ms: number]>>;
}
