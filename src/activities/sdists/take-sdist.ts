import { fail } from '../../model/failure.js';
import { sourceArtifactOf } from '../source/tree.js';
import type { Body } from '../work.js';
import { assertVersion, sdistNotInSource } from './errors.js';

/** Publishes the source's own sdist unchanged. */
export const createTakeSdist = (): Body<'takeSdist'> => async (work) => {
  const sdist = sourceArtifactOf(work);
  if (sdist?.kind !== 'sdist') throw fail(sdistNotInSource(work.step.id));
  assertVersion(work.step.params, sdist.name);
  const { project, version } = work.step.params;
  const labels = { ...sdist.labels, project, version: version ?? work.plan.release.version };
  return { artifacts: [{ ...sdist, labels }], note: `${sdist.name}, the source's own` };
};
