import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import { clusterService } from '../../model/outage.js';
import { endDetails } from '../../model/tests/ends.js';

export const clusterFailed = problem.infra((cluster: string, what: string, lines: readonly string[]) => [
  'CLUSTER_FAILED',
  `the cluster ${cluster} did not start: ${what}`,
  'Read the last lines of that node, or all with `slipway logs STEP`. The step tries again as `retry.infra` says.',
  { evidence: lines, details: endDetails('CLUSTER_FAILED') },
]);
export const clusterNotUp = problem.infra((cluster: string, limitMs: number, lines: readonly string[]) => [
  'CLUSTER_NOT_UP',
  `the cluster ${cluster} was not up after ${Math.round(limitMs / 1000)} s`,
  'See in the last lines what it waited for. Raise `up` of the cluster where the machine is only slow.',
  { evidence: lines, details: endDetails('CLUSTER_NOT_UP') },
]);
export const noNamespaces = problem.config((cluster: string, why: string) => [
  'CLUSTER_REFUSED',
  `the cluster ${cluster} needs a sandbox or root for its own network and processes: ${why}`,
  'Type `apt-get install bubblewrap` on the worker as root, or use `manager: docker`.',
  { details: endDetails('CLUSTER_REFUSED') },
]);

export const clusterSilent = (cluster: string, address: string, why: string): Problem => ({
  code: 'CLUSTER_SILENT',
  class: 'infra',
  service: clusterService(cluster),
  message: `the cluster ${cluster} does not answer at ${address}: ${why}`,
  next: 'The step goes on once it answers; that uses no try. Start that Ray, or correct `address` of the cluster.',
  details: endDetails('CLUSTER_SILENT'),
});

export const notLetIn = problem.denied((cluster: string, host: string, why: string) => [
  'CLUSTER_REFUSED',
  `the host ${host} of the cluster ${cluster} does not let ssh in: ${why}`,
  'Give the worker a key that the host accepts, and its host key in known_hosts; `config` of the profile names an own ssh_config.',
  { details: endDetails('CLUSTER_REFUSED') },
]);
export const notRay = problem.config((cluster: string, address: string, status: number) => [
  'CLUSTER_REFUSED',
  `what answers at ${address} for the cluster ${cluster} is not the dashboard of a Ray: HTTP ${status}`,
  'Correct `address` of the cluster: Ray prints it at its start as "View the Ray dashboard at".',
  { details: endDetails('CLUSTER_REFUSED') },
]);
export const filesNotPut = problem.infra((cluster: string, why: string) => [
  'FILES_NOT_PUT',
  `the files of the test could not be copied to the head of the cluster ${cluster}: ${why}`,
  'The step tries again as `retry.infra` says. See the log of that job in the dashboard, or try the line `put` by hand.',
  { details: endDetails('FILES_NOT_PUT') },
]);
export const jobRefused = problem.infra((status: number, why: string) => [
  'JOB_REFUSED',
  `the cluster refused the job of the test with HTTP status ${status}: ${why}`,
  'The step tries again with a new cluster. Where Ray refuses each time, write `by: command`.',
  { details: endDetails('JOB_REFUSED') },
]);

const DAY_MS = 24 * 3_600_000;

export const clusterBusy = problem.infra((cluster: string, waitedMs: number) => [
  'CLUSTER_BUSY',
  `the cluster ${cluster} waited ${Math.round(waitedMs / DAY_MS)} days for another cluster of this worker, which does not end`,
  'Cancel the test that has the cluster, or start the worker again. The step tries again as `retry.infra` says.',
  { details: endDetails('CLUSTER_BUSY') },
]);
