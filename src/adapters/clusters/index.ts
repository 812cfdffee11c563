import type { Cluster, ClusterRequest, Clusters } from '../../activities/clusters/ports.js';
import type { Programs } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import type { DockerMachines } from '../docker/index.js';
import { createCommandClusters } from './by-command.js';
import { createDockerClusters } from './docker.js';
import { clusterBusy } from './errors.js';
import { createJobsClusters } from './jobs.js';
import { createLocalClusters } from './local.js';
import { createSshClusters } from './ssh.js';
import { Turns } from './turns.js';

/** Longer than any queue of tests: the cluster that has the turn never ends. Less than what Temporal gives such a step. */
const LONGEST_WAIT_MS = 14 * 24 * 3_600_000;

/** The managers of clusters. A worker has one cluster on its own machine at a time. */
export function createClusters(programs: Programs, machines: DockerMachines): Required<Clusters> {
  const turns = new Turns();
  const managers = {
    local: createLocalClusters(programs),
    docker: createDockerClusters(machines),
    ssh: createSshClusters(programs),
  };
  const foreign = { jobs: createJobsClusters(), command: createCommandClusters(programs) };
  return {
    up: async (request) => {
      const { by } = request.spec.manager;
      if (by === 'command' || by === 'jobs') return foreign[by].up(request);
      return inTurn(turns, request, () => managers[by].up(request));
    },
    find: (request, handle) => foreign[request.spec.manager.by === 'jobs' ? 'jobs' : 'command'].find(request, handle),
  };
}

/** Makes the cluster when the one before is down, and gives the turn back when it is down itself. */
async function inTurn(turns: Turns, request: ClusterRequest, up: () => Promise<Cluster>): Promise<Cluster> {
  const late = AbortSignal.timeout(LONGEST_WAIT_MS);
  request.takesTurn?.(`the cluster ${request.spec.name} waits for the one of another test on this worker`);
  const done = await turns.take(AbortSignal.any([request.signal, late])).catch((error: unknown) => {
    request.signal.throwIfAborted();
    throw fail(clusterBusy(request.spec.name, LONGEST_WAIT_MS), error);
  });
  request.takesTurn?.(null);
  try {
    const cluster = await up();
    return { ...cluster, down: () => cluster.down().finally(done) };
  } catch (error) {
    done();
    throw error;
  }
}
