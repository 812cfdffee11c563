import type { Problem } from '../../model/failure.js';
import { clusterService } from '../../model/outage.js';
import { endDetails } from '../../model/tests/ends.js';

export const clusterFailed = (cluster: string, what: string, lines: readonly string[]): Problem => ({
  code: 'CLUSTER_FAILED',
  class: 'infra',
  message: `the cluster ${cluster} did not start: ${what}`,
  next: 'Read the last lines of that node, or all with `slipway logs STEP`. The step tries again as `retry.infra` says.',
  evidence: lines,
  details: endDetails('CLUSTER_FAILED'),
});

export const clusterNotUp = (cluster: string, limitMs: number, lines: readonly string[]): Problem => ({
  code: 'CLUSTER_NOT_UP',
  class: 'infra',
  message: `the cluster ${cluster} was not up after ${Math.round(limitMs / 1000)} s`,
  next: 'See in the last lines what it waited for. Raise `up` of the cluster where the machine is only slow.',
  evidence: lines,
  details: endDetails('CLUSTER_NOT_UP'),
});

export const noNamespaces = (cluster: string, why: string): Problem => ({
  code: 'CLUSTER_REFUSED',
  class: 'config',
  message: `the cluster ${cluster} needs a sandbox or root for its own network and processes: ${why}`,
  next: 'Type `apt-get install bubblewrap` on the worker as root, or use `manager: docker`.',
  details: endDetails('CLUSTER_REFUSED'),
});

export const clusterSilent = (cluster: string, address: string, why: string): Problem => ({
  code: 'CLUSTER_SILENT',
  class: 'infra',
  service: clusterService(cluster),
  message: `the cluster ${cluster} does not answer at ${address}: ${why}`,
  next: 'The step goes on once it answers; that uses no try. Start that Ray, or correct `address` of the cluster.',
  details: endDetails('CLUSTER_SILENT'),
});

export const notLetIn = (cluster: string, host: string, why: string): Problem => ({
  code: 'CLUSTER_REFUSED',
  class: 'denied',
  message: `the host ${host} of the cluster ${cluster} does not let ssh in: ${why}`,
  next: 'Give the worker a key that the host accepts, and its host key in known_hosts; `config` of the profile names an own ssh_config.',
  details: endDetails('CLUSTER_REFUSED'),
});

export const notRay = (cluster: string, address: string, status: number): Problem => ({
  code: 'CLUSTER_REFUSED',
  class: 'config',
  message: `what answers at ${address} for the cluster ${cluster} is not the dashboard of a Ray: HTTP ${status}`,
  next: 'Correct `address` of the cluster: Ray prints it at its start as "View the Ray dashboard at".',
  details: endDetails('CLUSTER_REFUSED'),
});

export const filesNotPut = (cluster: string, why: string): Problem => ({
  code: 'FILES_NOT_PUT',
  class: 'infra',
  message: `the files of the test could not be copied to the head of the cluster ${cluster}: ${why}`,
  next: 'The step tries again as `retry.infra` says. See the log of that job in the dashboard, or try the line `put` by hand.',
  details: endDetails('FILES_NOT_PUT'),
});

export const jobRefused = (status: number, why: string): Problem => ({
  code: 'JOB_REFUSED',
  class: 'infra',
  message: `the cluster refused the job of the test with HTTP status ${status}: ${why}`,
  next: 'The step tries again with a new cluster. Where Ray refuses each time, write `by: command`.',
  details: endDetails('JOB_REFUSED'),
});

const DAY_MS = 24 * 3_600_000;

export const clusterBusy = (cluster: string, waitedMs: number): Problem => ({
  code: 'CLUSTER_BUSY',
  class: 'infra',
  message: `the cluster ${cluster} waited ${Math.round(waitedMs / DAY_MS)} days for another cluster of this worker, which does not end`,
  next: 'Cancel the test that has the cluster, or start the worker again. The step tries again as `retry.infra` says.',
  details: endDetails('CLUSTER_BUSY'),
});
