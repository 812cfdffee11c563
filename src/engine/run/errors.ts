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
  message: `${step} waited ${Math.round(waitMs / 60_000)} min for the queue ${queue}, and nobody serves it`,
  next: `Start a worker: ${could}. Then type \`slipway retry ${step}\`; where the run has ended, start the release again: what is done is reused.`,
});

export const outageTooLong = (step: StepId, service: Service, sinceMs: number, last: string): Problem => ({
  code: 'OUTAGE_TOO_LONG',
  class: 'infra',
  service,
  message: `${step} waits for no longer: ${service} has not answered since ${new Date(sinceMs).toISOString()}: ${last}`,
  next: `Type \`slipway retry ${step}\` once it answers, or leave the step out with \`slipway skip\`; \`retry.outage\` of the release file says how long to wait.`,
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
  next: 'Only a step that failed and waits for an action is tried again.',
});

export const stepNotSkippable = (step: StepId, state: string): Problem => ({
  code: 'STEP_NOT_SKIPPABLE',
  class: 'config',
  message: `${step} cannot be left out any more: it is ${state}`,
  next:
    state === 'running' ? `Stop it first: \`slipway cancel ${step}\`.` : '`slipway status` shows what became of it.',
});

export const stepLookedUp = (step: StepId): Problem => ({
  code: 'STEP_LOOKED_UP',
  class: 'config',
  message: `${step} is being looked up just now: its result may be known`,
  next: 'Say it again in a moment.',
});

export const stepNotRunning = (step: StepId, state: string): Problem => ({
  code: 'STEP_NOT_RUNNING',
  class: 'config',
  message: `${step} cannot be stopped: it is ${state}`,
  next: 'A step that has not begun is left out with `slipway skip`; the whole run ends with `slipway cancel`.',
});

export const stepNotBegun = (step: StepId): Problem => ({
  code: 'STEP_NOT_BEGUN',
  class: 'config',
  message: `${step} cannot run again: it has not begun`,
  next: 'It runs when its turn comes. `slipway status` shows what it waits for.',
});

export const stepShut = (step: StepId, on: StepId, state: string): Problem => ({
  code: 'STEP_SHUT',
  class: 'config',
  message: `${step} cannot run again: ${on}, which it stands on, is ${state}`,
  next: `Run that again, and this with it: \`slipway retry --from ${on}\`.`,
});

export const nothingHeld = (): Problem => ({
  code: 'NOTHING_HELD',
  class: 'config',
  message: 'no step of this run waits for an action',
  next: '`slipway status` shows where it stands.',
});

export const engineUnknown = (engine: unknown, known: readonly number[]): Problem => ({
  code: 'ENGINE_UNKNOWN',
  class: 'config',
  message: `the run is to go by the rules ${(JSON.stringify(engine) ?? '').slice(0, 40)} of the engine; this build knows ${known.join(', ')}`,
  next: 'Leave `engine` out to have those that the client knows; a run that a newer build began goes on where workers run that build.',
});

export const runIsCancelling = (action: string, reason: string): Problem => ({
  code: 'RUN_IS_CANCELLING',
  class: 'config',
  message: `too late for ${action}: the run is being cancelled (${reason})`,
  next: 'Start the release again once it has ended: what is known is reused.',
});

export const HISTORY_IS_LONG =
  'its history is long: it starts nothing until all that runs has ended, then it continues as new';
