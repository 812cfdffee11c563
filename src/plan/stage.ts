import type { StageId } from '../model/stages.js';
import type { Context } from './context.js';
import type { PlannedStep, PlanEntry, Variant } from './plan-entry.js';

/** Steps and variants of earlier stages. */
export interface Made {
  /** All variants by item, left-out ones included. */
  readonly variants: ReadonlyMap<string, readonly Variant[]>;
  readonly drafts: readonly PlannedStep[];
}

/** A stage decides and never acts. Pure: the same inputs give the same steps. */
export interface Stage {
  readonly id: StageId;
  /** Present participle for the live display: "building wheels". */
  readonly title: string;
  /** Entries of its section. Axes and needs expand each to variants, and each variant makes one step. */
  items?(context: Context): readonly PlanEntry[];
  /** Steps that follow from other steps. */
  steps?(context: Context, made: Made): readonly PlannedStep[];
}
