import { KINDS } from '../model/kinds.js';
import type { Step } from '../model/plan.js';
import { TARGETS } from '../model/target-kinds.js';

/** Whether a step runs code of a project. Nothing installs from some targets: a line of the publisher verifies them on
 * control. */
export const carriesCode = (step: Step): boolean =>
  KINDS[step.kind].runs !== 'own' && (step.kind !== 'verifyTarget' || TARGETS[step.params.target.kind].installs);
