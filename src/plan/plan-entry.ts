import type { Axes, StepId } from '../model/ids.js';
import type { Step } from '../model/plan.js';
import type { Ability } from '../model/worker.js';
import type { Path } from './errors.js';
import type { Ref } from './refs.js';

/** An entry of a section before its axes are known: `wheels/skiff`. */
export interface PlanEntry {
  readonly id: string;
  /** Path in the release file. */
  readonly path: Path;
  readonly needs: readonly Need[];
  /** Axes that it has unless `matrix` says otherwise. */
  readonly own: Readonly<Record<string, readonly string[]>>;
  /** Axes that it never has: `python: none`. */
  readonly without: readonly string[];
  readonly matrix: Readonly<Record<string, readonly string[]>>;
  readonly exclude: readonly Axes[];
  readonly include: readonly Axes[];
  /** Why a variant is left out, or null. */
  leaveOut(axes: Axes): string | null;
  make(variant: Variant): PlannedStep;
}

export interface Need {
  readonly ref: Ref;
  /** Path of the reference, for problems. */
  readonly path: Path;
  /** Only the first matching variant, and no axis: one preparation for all variants. */
  readonly first?: boolean;
  /** True to take the first match and hand on no axis, as for a base image to run in. */
  readonly quiet?: boolean;
}

/** One combination of an item's axes. */
export interface Variant {
  readonly id: StepId;
  readonly item: PlanEntry;
  readonly axes: Axes;
  /** All needs in order, each once. */
  readonly needs: readonly Variant[];
  /** Why it is left out. */
  readonly because: string | null;
}

/** A step, and what `prove` must find on its queue. */
export interface PlannedStep {
  readonly step: Step;
  readonly tools: readonly string[];
  /** Abilities that workers of its queue must have. */
  readonly can: readonly Ability[];
}

export const BARE = { own: {}, without: [], matrix: {}, exclude: [], include: [], leaveOut: () => null } as const;
