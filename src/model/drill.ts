import type { StepId } from './ids.js';

/** Where a crash drill can stop an attempt: its body begins; just before and just after what it changes in the world; its result is
 * on record, and nobody was told yet. */
export const PHASES = ['begun', 'before', 'after', 'recorded'] as const;
export type Phase = (typeof PHASES)[number];

/** As people read them. */
export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  begun: 'under way',
  before: 'before the effect',
  after: 'after the effect',
  recorded: 'after the record',
};

/** What a worker tells a drill when it stands at a point. */
export interface Reached {
  readonly step: StepId;
  readonly phase: Phase;
}

/** Variable that turns points on in a worker: a port of this machine at which somebody listens to `Reached`. */
export const DRILL_PORT = 'SLIPWAY_DRILL_PORT';
