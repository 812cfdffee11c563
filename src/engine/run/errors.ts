import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import type { Queue, StepId } from '../../model/ids.js';
import type { Service } from '../../model/outage.js';

export const planHasCycle = problem.bug((step: StepId) => [
  'PLAN_HAS_CYCLE',
  `${step} waits for itself, directly or through others`,
  'Attach the output of `slipway plan --json` to a report: a plan with a cycle should have been refused.',
]);
export const planHasLooseEdge = problem.bug((step: StepId, edge: number) => [
  'PLAN_HAS_LOOSE_EDGE',
  `${step} waits for step number ${edge}, which is not in the plan`,
  'Attach the output of `slipway plan --json` to a report: such a plan should have been refused.',
]);
export const nobodyCame = problem.infra((step: StepId, queue: Queue, waitMs: number, could: string) => [
  'NOBODY_CAME',
  `${step} waited ${Math.round(waitMs / 60_000)} min for a worker of the queue ${queue}, and none came`,
  `Start a worker: ${could}. Then type \`slipway retry ${step}\`. If the run has ended, start the release again: finished steps are reused.`,
]);

export const outageTooLong = (step: StepId, service: Service, sinceMs: number, last: string): Problem => ({
  code: 'OUTAGE_TOO_LONG',
  class: 'infra',
  service,
  message: `${step} waited too long: ${service} has not answered since ${new Date(sinceMs).toISOString()}: ${last}`,
  next: `Type \`slipway retry ${step}\` once it answers, or skip the step with \`slipway skip\`. \`retry.outage\` of the release file sets the limit.`,
});

export const stepUnknown = problem.config((step: StepId, variants: readonly StepId[] = []) => [
  'STEP_UNKNOWN',
  `this run has no step ${JSON.stringify(step)}`,
  variants.length > 0
    ? `Name one: ${variants.slice(0, MOST_NAMED).join(', ')}${variants.length > MOST_NAMED ? ', …' : ''}.`
    : '`slipway plan` lists the steps; `slipway status` names those that wait for an action.',
]);
const MOST_NAMED = 6;

export const stepNotHeld = problem.config((step: StepId, state: string) => [
  'STEP_NOT_HELD',
  `${step} is not held: it is ${state}`,
  'Retry a held step: `slipway status` lists them.',
]);
export const stepNotSkippable = problem.config((step: StepId, state: string) => [
  'STEP_NOT_SKIPPABLE',
  `${step} can no longer be skipped: it is ${state}`,
  state === 'running' ? `Stop it first: \`slipway cancel ${step}\`.` : '`slipway status` shows what became of it.',
]);
export const stepLookedUp = problem.config((step: StepId) => [
  'STEP_LOOKED_UP',
  `${step} cannot be skipped now: a cache lookup may end it`,
  'Repeat the command in a few seconds.',
]);
export const stepNotRunning = problem.config((step: StepId, state: string) => [
  'STEP_NOT_RUNNING',
  `${step} cannot be stopped: it is ${state}`,
  'Skip a step that has not begun with `slipway skip`, or cancel the whole run with `slipway cancel`.',
]);
export const stepNotBegun = problem.config((step: StepId) => [
  'STEP_NOT_BEGUN',
  `${step} cannot run again: it has not begun`,
  'Type `slipway status` to see what it waits for.',
]);
export const stepShut = problem.config((step: StepId, on: StepId, state: string) => [
  'STEP_SHUT',
  `${step} cannot run again: it needs ${on}, which is ${state}`,
  `Rerun both: \`slipway retry --from ${on}\`.`,
]);
export const nothingHeld = problem.config(() => [
  'NOTHING_HELD',
  'no step of this run waits for an action',
  'Type `slipway status` to see the state of the run.',
]);
export const engineUnknown = problem.config((engine: unknown, known: readonly number[]) => [
  'ENGINE_UNKNOWN',
  `the run needs version ${(JSON.stringify(engine) ?? '').slice(0, 40)} of the engine; this build knows ${known.join(', ')}`,
  'Leave `engine` out of the input. For a run of a newer build, start workers of that build.',
]);
export const runIsCancelling = problem.config((action: string, reason: string) => [
  'RUN_IS_CANCELLING',
  `too late for ${action}: the run is being cancelled (${reason})`,
  'Start the release again once it has ended: finished steps are reused.',
]);

export const HISTORY_IS_LONG =
  'its history is long: it starts nothing until all that runs has ended, then it continues as new';
