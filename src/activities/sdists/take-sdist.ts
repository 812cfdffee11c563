import { fail } from '../../model/failure.js';
import type { Body } from '../work.js';
import { sdistNotInSource } from './errors.js';

/** Publishes the source's own sdist unchanged. */
export const createTakeSdist = (): Body<'takeSdist'> => async (work) => {
  const [sdist] = work.artifacts('sdist');
  if (!sdist) throw fail(sdistNotInSource(work.step.id));
  const { project } = work.step.params;
  const labels = { ...sdist.labels, project, version: work.plan.release.version };
  return { artifacts: [{ ...sdist, labels }], note: `${sdist.name}, the source's own` };
};
