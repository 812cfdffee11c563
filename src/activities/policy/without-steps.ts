import type { Plan } from '../../model/plan.js';

/** Returns a plan that builds nothing from any commit and runs no step: a policy judges its targets alone. */
export const withoutSteps = (head: Pick<Plan, 'release' | 'profile'>): Plan => ({
  ...head,
  slipway: 1,
  source: { kind: 'none', branch: null },
  ...{ bundle: [], steps: [], dropped: [], effects: [] },
});
