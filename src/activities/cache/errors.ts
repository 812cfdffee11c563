import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';

/** The step may have run meanwhile. The next lookup finds its result. */
export const otherResultStands = (step: StepId): Problem => ({
  code: 'OTHER_RESULT_STANDS',
  class: 'infra',
  message: `another result of ${step} was recorded in this run while it was looked up`,
  next: 'Nothing: each step looks for itself now.',
});
