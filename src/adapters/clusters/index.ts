import type { Clusters } from '../../activities/clusters/ports.js';
import type { Programs } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { managerUnknown } from './errors.js';
import { createLocalClusters } from './local.js';

/** The managers of clusters. */
export function createClusters(programs: Programs): Clusters {
  const managers = { local: createLocalClusters(programs) };
  return {
    up: (request) => {
      const { by } = request.spec.manager;
      if (by !== 'local') throw fail(managerUnknown(request.spec.name, by));
      return managers[by].up(request);
    },
  };
}
