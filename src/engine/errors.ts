import type { Problem } from '../model/failure.js';
import type { Queue, StepId } from '../model/ids.js';

/** What this room can complain about: each is a plan that the planner must never let through. */
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
  next: `Start a worker: ${could}. Then start the release again: what is done is reused.`,
});
