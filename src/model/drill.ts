import type { StepId } from './ids.js';

/** Points at which a crash drill can stop an attempt: at its beginning, before its effect, after it, and after its
 * result is recorded. The last one comes before the result is reported. */
export const PHASES = ['begun', 'before', 'after', 'recorded'] as const;
export type Phase = (typeof PHASES)[number];

/** A worker's message to a drill: the attempt has reached a point. */
export interface Reached {
  readonly step: StepId;
  readonly phase: Phase;
}

/** Variable that turns the points on in a worker: the local port on which the drill listens for `Reached`. */
export const DRILL_PORT = 'SLIPWAY_DRILL_PORT';

/** Variable with the arguments and options of `slipway drill`, for the process that drills. */
export const DRILL_ASKED = 'SLIPWAY_DRILL_ASKED';
