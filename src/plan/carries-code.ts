import { KINDS } from '../model/kinds.js';
import type { Step } from '../model/plan.js';
import { TARGETS } from './target-kinds.js';

/** Whether a step runs code of a project. A target that nothing installs from is verified by a line of its own, which runs where
 * the lines run that publish. */
export const carriesCode = (step: Step): boolean =>
  KINDS[step.kind].runsProject && (step.kind !== 'verifyTarget' || TARGETS[step.params.target.kind].installs);
