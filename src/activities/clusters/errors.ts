import type { Problem } from '../../model/failure.js';

export const clusterRefused = (cluster: string, why: string): Problem => ({
  code: 'CLUSTER_REFUSED',
  class: 'config',
  message: `the cluster ${cluster} cannot be made: ${why}`,
  next: `Correct the entry ${cluster} of \`clusters:\` in the release file, then start the run again.`,
});
