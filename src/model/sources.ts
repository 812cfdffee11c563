import { sourceStepId, type StepId } from './ids.js';
import type { SourceRef } from './params.js';
import type { Plan, PlanSource, Step } from './plan.js';

type Steps = Pick<Plan, 'steps' | 'release'>;

/** A named source, and the step that fetches it. */
export interface OwnSource {
  readonly step: StepId;
  readonly ref: SourceRef;
}

/** Returns the step that fetches the source of most steps. A plan whose steps all have their own source lacks it. */
export const mainSourceStep = ({ release }: Pick<Plan, 'release'>): StepId => sourceStepId(release.name);

/** Returns the sources of a plan besides its main one. */
export const ownSourcesOf = (plan: Steps): readonly OwnSource[] =>
  plan.steps.flatMap((step) =>
    step.kind === 'fetchSource' && step.id !== mainSourceStep(plan) ? [{ step: step.id, ref: step.params.source }] : [],
  );

/** Returns the named source that a step's bytes are made from. Null for the source of the plan. */
export function ownSourceOf(plan: Steps, id: StepId): SourceRef | null {
  const steps = stepsOf(plan);
  const source = steps.get(steps.get(id)?.source ?? id);
  return source?.kind === 'fetchSource' && source.id !== mainSourceStep(plan) ? source.params.source : null;
}

/** Returns the source that a step's bytes are made from. */
export const sourceOf = (plan: Steps & Pick<Plan, 'source'>, id: StepId): SourceRef | PlanSource =>
  ownSourceOf(plan, id) ?? plan.source;

const known = new WeakMap<Steps, ReadonlyMap<StepId, Step>>();

/** Returns the steps of a plan by id. */
export function stepsOf(plan: Steps): ReadonlyMap<StepId, Step> {
  const found = known.get(plan) ?? new Map(plan.steps.map((step) => [step.id, step]));
  known.set(plan, found);
  return found;
}
