import type { Problem } from '../../model/failure.js';
import type { Queue, StepId } from '../../model/ids.js';
import type { Service } from '../../model/outage.js';

export const planHasCycle = (step: StepId): Problem => ({
  code: 'PLAN_HAS_CYCLE',
  class: 'bug',
  message: `${step} waits for itself, directly or through others`,
  next: 'Attach the output of `slipway plan --json` to a report: a plan with a cycle should have been refused.',
});

export const planHasLooseEdge = (step: StepId, edge: number): Problem => ({
  code: 'PLAN_HAS_LOOSE_EDGE',
  class: 'bug',
  message: `${step} waits for step number ${edge}, which is not in the plan`,
  next: 'Attach the output of `slipway plan --json` to a report: such a plan should have been refused.',
});

export const nobodyCame = (step: StepId, queue: Queue, waitMs: number, could: string): Problem => ({
  code: 'NOBODY_CAME',
  class: 'infra',
  message: `${step} waited ${Math.round(waitMs / 60_000)} min for a worker of the queue ${queue}, and none came`,
  next: `Start a worker: ${could}. Then type \`slipway retry ${step}\`. If the run has ended, start the release again: finished steps are reused.`,
});

export const outageTooLong = (step: StepId, service: Service, sinceMs: number, last: string): Problem => ({
  code: 'OUTAGE_TOO_LONG',
  class: 'infra',
  service,
  message: `${step} waited too long: ${service} has not answered since ${new Date(sinceMs).toISOString()}: ${last}`,
  next: `Type \`slipway retry ${step}\` once it answers, or skip the step with \`slipway skip\`. \`retry.outage\` of the release file sets the limit.`,
});

export const stepUnknown = (step: StepId, variants: readonly StepId[] = []): Problem => ({
  code: 'STEP_UNKNOWN',
  class: 'config',
  message: `this run has no step ${JSON.stringify(step)}`,
  next:
    variants.length > 0
      ? `Name one: ${variants.slice(0, MOST_NAMED).join(', ')}${variants.length > MOST_NAMED ? ', …' : ''}.`
      : '`slipway plan` lists the steps; `slipway status` names those that wait for an action.',
});
const MOST_NAMED = 6;

export const stepNotHeld = (step: StepId, state: string): Problem => ({
  code: 'STEP_NOT_HELD',
  class: 'config',
  message: `${step} is not held: it is ${state}`,
  next: 'Retry a held step: `slipway status` lists them.',
});

export const stepNotSkippable = (step: StepId, state: string): Problem => ({
  code: 'STEP_NOT_SKIPPABLE',
  class: 'config',
  message: `${step} can no longer be skipped: it is ${state}`,
  next:
    state === 'running' ? `Stop it first: \`slipway cancel ${step}\`.` : '`slipway status` shows what became of it.',
});

export const stepLookedUp = (step: StepId): Problem => ({
  code: 'STEP_LOOKED_UP',
  class: 'config',
  message: `${step} cannot be skipped now: a cache lookup may end it`,
  next: 'Repeat the command in a few seconds.',
});

export const stepNotRunning = (step: StepId, state: string): Problem => ({
  code: 'STEP_NOT_RUNNING',
  class: 'config',
  message: `${step} cannot be stopped: it is ${state}`,
  next: 'Skip a step that has not begun with `slipway skip`, or cancel the whole run with `slipway cancel`.',
});

export const stepNotBegun = (step: StepId): Problem => ({
  code: 'STEP_NOT_BEGUN',
  class: 'config',
  message: `${step} cannot run again: it has not begun`,
  next: 'Type `slipway status` to see what it waits for.',
});

export const stepShut = (step: StepId, on: StepId, state: string): Problem => ({
  code: 'STEP_SHUT',
  class: 'config',
  message: `${step} cannot run again: it needs ${on}, which is ${state}`,
  next: `Rerun both: \`slipway retry --from ${on}\`.`,
});

export const nothingHeld = (): Problem => ({
  code: 'NOTHING_HELD',
  class: 'config',
  message: 'no step of this run waits for an action',
  next: 'Type `slipway status` to see the state of the run.',
});

export const engineUnknown = (engine: unknown, known: readonly number[]): Problem => ({
  code: 'ENGINE_UNKNOWN',
  class: 'config',
  message: `the run needs version ${(JSON.stringify(engine) ?? '').slice(0, 40)} of the engine; this build knows ${known.join(', ')}`,
  next: 'Leave `engine` out of the input. For a run of a newer build, start workers of that build.',
});

export const runIsCancelling = (action: string, reason: string): Problem => ({
  code: 'RUN_IS_CANCELLING',
  class: 'config',
  message: `too late for ${action}: the run is being cancelled (${reason})`,
  next: 'Start the release again once it has ended: finished steps are reused.',
});

export const HISTORY_IS_LONG =
  'its history is long: it starts nothing until all that runs has ended, then it continues as new';
