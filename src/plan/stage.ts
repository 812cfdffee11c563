import type { StageId } from '../model/stages.js';
import type { Context } from './context.js';
import type { PlannedStep, PlanEntry, Variant } from './plan-entry.js';

/** Steps and variants of earlier stages. */
export interface Made {
  /** Every variant of every item, those left out too. */
  readonly variants: ReadonlyMap<string, readonly Variant[]>;
  readonly drafts: readonly PlannedStep[];
}

/** A stage decides; it never acts. Pure: same inputs, same steps. */
export interface Stage {
  readonly id: StageId;
  /** Present participle, shown live: "building wheels". */
  readonly title: string;
  /** Entries of its section; axes and needs turn each into variants, and each variant makes one step. */
  items?(context: Context): readonly PlanEntry[];
  /** Steps that follow from the steps of others. */
  steps?(context: Context, made: Made): readonly PlannedStep[];
}
