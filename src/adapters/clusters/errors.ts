import type { Problem } from '../../model/failure.js';

export const clusterFailed = (cluster: string, what: string, lines: readonly string[]): Problem => ({
  code: 'CLUSTER_FAILED',
  class: 'infra',
  message: `the cluster ${cluster} did not start: ${what}`,
  next: 'Read the last lines of that node, or all with `slipway logs STEP`. The step tries again as `retry.infra` says.',
  evidence: lines,
  details: { ray: 15, phase: 'cluster' },
});

export const clusterNotUp = (cluster: string, limitMs: number, lines: readonly string[]): Problem => ({
  code: 'CLUSTER_NOT_UP',
  class: 'infra',
  message: `the cluster ${cluster} was not up after ${Math.round(limitMs / 1000)} s`,
  next: 'See in the last lines what it waited for. Raise `up` of the cluster where the machine is only slow.',
  evidence: lines,
  details: { ray: 32, phase: 'cluster' },
});

export const noNamespaces = (cluster: string, why: string): Problem => ({
  code: 'CLUSTER_REFUSED',
  class: 'config',
  message: `the cluster ${cluster} needs a sandbox or root for its own network and processes: ${why}`,
  next: 'Type `apt-get install bubblewrap` on the worker as root, or use `manager: docker`.',
  details: { ray: 13, phase: 'cluster' },
});

export const jobRefused = (status: number, why: string): Problem => ({
  code: 'JOB_REFUSED',
  class: 'infra',
  message: `the cluster refused the job of the test with HTTP status ${status}: ${why}`,
  next: 'The step tries again with a new cluster. Where Ray refuses each time, write `by: command`.',
  details: { ray: 19, phase: 'run' },
});

export const clusterBusy = (cluster: string, waitedMs: number): Problem => ({
  code: 'CLUSTER_BUSY',
  class: 'infra',
  message: `the cluster ${cluster} waited ${Math.round(waitedMs / 60_000)} min for another cluster of this worker`,
  next: 'The step tries again as `retry.infra` says. Give the tests a `pool` with as many places as the queue has workers.',
  details: { ray: 13, phase: 'cluster' },
});
