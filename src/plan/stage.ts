import type { Axes, StepId } from '../model/ids.js';
import type { LockOptions } from '../model/params.js';
import type { Step } from '../model/plan.js';
import type { StageId } from '../model/stages.js';
import type { Ability } from '../model/worker.js';
import type { Context } from './context.js';
import type { Path } from './errors.js';
import type { Ref } from './refs.js';

/** An entry of a section before its expansion: `wheels/skiff`. */
export interface PlanEntry {
  readonly id: string;
  readonly path: Path;
  readonly needs: readonly Need[];
  /** Default axes, which `matrix` overrides. */
  readonly own: Readonly<Record<string, readonly string[]>>;
  /** Axes that it lacks: `python: none`. */
  readonly without: readonly string[];
  readonly matrix: Readonly<Record<string, readonly string[]>>;
  readonly exclude: readonly Axes[];
  readonly include: readonly Axes[];
  /** Returns the reason to leave a variant out. Null to keep it. */
  leaveOut(axes: Axes): string | null;
  make(variant: Variant): PlannedStep;
  /** Why it counts as done although it is left out. Absent: it is planned. */
  readonly assumed?: string;
}

export interface Need {
  readonly ref: Ref;
  readonly path: Path;
  /** True to use only the first matching variant and pass on no axis: one preparation for all variants. */
  readonly first?: boolean;
  /** True to use the first match and pass on no axis, as for the base image of a container. */
  readonly quiet?: boolean;
}

export interface Variant {
  readonly id: StepId;
  readonly item: PlanEntry;
  readonly axes: Axes;
  /** All needs in order, without repetition. */
  readonly needs: readonly Variant[];
  /** What it would wait for through needs that are assumed done. */
  readonly behind: readonly Variant[];
  /** Reason why it is left out. */
  readonly because: string | null;
}

/** A step, and the tools that `prove` requires on its queue. */
export interface PlannedStep {
  readonly step: Step;
  readonly tools: readonly string[];
  /** Abilities that workers of its queue must have. */
  readonly can: readonly Ability[];
  /** Options of a tool that `prove` checks. */
  readonly options?: ToolOptions | undefined;
}

interface ToolOptions extends Pick<LockOptions, 'tool' | 'options'> {
  /** Name of the entry that has them. */
  readonly of: string;
}

export const BARE = { own: {}, without: [], matrix: {}, exclude: [], include: [], leaveOut: () => null } as const;

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
