import { problem } from '../../model/problem.js';
import type { StepId } from '../../model/ids.js';

/** The step may have run meanwhile. The next lookup finds its result. */
export const otherResultStands = problem.infra((step: StepId) => [
  'OTHER_RESULT_STANDS',
  `another result of ${step} was recorded in this run while it was looked up`,
  'Nothing: each step looks for itself now.',
]);
