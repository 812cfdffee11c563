import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';

/** Only the lookup writes results of steps that wait for it. The next lookup finds the result that is there. */
export const otherResultStands = (step: StepId): Problem => ({
  code: 'OTHER_RESULT_STANDS',
  class: 'infra',
  message: `another result of ${step} was recorded in this run while it was looked up`,
  next: 'Nothing: each step looks for itself now.',
});
