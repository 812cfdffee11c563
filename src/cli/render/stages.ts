import { isOpen } from '../../engine/run/step-progress.js';
import { STEP_STATES, type RunStatus, type StepState, type StepStatus } from '../../model/messages.js';
import { STAGE_IDS, type StageId } from '../../model/stages.js';

/** Steps of one stage, for people: how many stand where, and when the stage began and ended. */
export interface StageView {
  readonly stage: StageId;
  readonly steps: readonly StepStatus[];
  readonly counts: Readonly<Record<StepState, number>>;
  readonly ended: boolean;
  /** From the first start to the last end; null before the first start. */
  readonly ms: number | null;
}

export const STAGE_WIDTH = Math.max(...STAGE_IDS.map(({ length }) => length));

/** Stages with steps, in the order of a release; then those that this program does not know. Without dropped variants. */
export function stagesOf(status: RunStatus, now: number): readonly StageView[] {
  const kept = status.steps.filter(({ state }) => state !== 'dropped');
  const stepsOf = (id: StageId): readonly StepStatus[] => kept.filter(({ stage }) => stage === id);
  const ids = new Set([...STAGE_IDS, ...kept.flatMap(({ stage }) => stage ?? [])]);
  return [...ids].map((id) => view(id, stepsOf(id), now)).filter(({ steps }) => steps.length > 0);
}

function view(stage: StageId, steps: readonly StepStatus[], now: number): StageView {
  const counts = Object.fromEntries(STEP_STATES.map((state) => [state, 0])) as Record<StepState, number>;
  for (const step of steps) counts[step.state] += 1;
  return { stage, steps, counts, ended: !steps.some(isOpen), ms: spanMs(steps, now) };
}

function spanMs(steps: readonly StepStatus[], now: number): number | null {
  const begun = steps.filter((step) => step.startedAt !== undefined);
  if (begun.length === 0) return null;
  const ends = begun.map((step) => (step.ms === undefined && isOpen(step) ? now : step.startedAt! + (step.ms ?? 0)));
  return Math.max(...ends) - Math.min(...begun.map((step) => step.startedAt!));
}

/** `3 of 12 steps`, ended ones first. */
export function progress(status: RunStatus): { readonly ended: number; readonly total: number } {
  const steps = status.steps.filter((step) => step.state !== 'dropped');
  return { ended: steps.filter((step) => !isOpen(step)).length, total: steps.length };
}
