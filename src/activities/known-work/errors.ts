import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';

/** Nobody but the walk itself writes results of steps that wait for it; the next one sees what stands. */
export const otherResultStands = (step: StepId): Problem => ({
  code: 'OTHER_RESULT_STANDS',
  class: 'infra',
  message: `another result of ${step} was recorded in this run while it was looked up`,
  next: 'Nothing: each step looks for itself now.',
});
