import { problem } from '../model/problem.js';
import { CONTROL, WORKFLOWS, type Queue } from '../model/ids.js';
import type { WorkerName, WorkerRecord } from '../model/worker.js';

export const queueUnknown = problem.config((queue: Queue, known: readonly Queue[]) => [
  'WORKER_QUEUE_UNKNOWN',
  `there is no queue ${queue}`,
  `Name a queue of config/queues.yaml: ${known.join(', ')}.`,
]);
export const bodyWithoutKind = problem.config((feature: string, name: string) => [
  'FEATURE_BODY_WITHOUT_KIND',
  `feature "${feature}" has a body for "${name}", and no such kind`,
  `Add the kind to src/features/${feature}/kinds.ts, or remove the body from node.ts.`,
]);
export const historyUnreadable = problem.config((workflowId: string, why: string) => [
  'HISTORY_UNREADABLE',
  `the history of ${workflowId} cannot be decoded: ${why}`,
  'Set SLIPWAY_CODEC_KEYS as it was when the run began, then `slipway up`.',
]);
export const wrongMachine = problem.config((queue: Queue, machine: string) => [
  'WORKER_WRONG_MACHINE',
  `the queue ${queue} is for machines of that platform, and this one is ${machine}`,
  `Start it there; here: \`slipway worker start --queues ${machine}\`.`,
]);
export const requiredToolAbsent = problem.config((queue: Queue, tools: readonly string[]) => [
  'WORKER_TOOL_ABSENT',
  `workers of ${queue} must have ${tools.join(', ')}, and this one does not find ${tools.length === 1 ? 'it' : 'them'}`,
  `Install ${tools.length === 1 ? 'it' : 'them'}, or put the folder on the worker's PATH; config/queues.yaml lists the required tools of a queue.`,
]);
export const keyAbsent = problem.config((queue: Queue, files: readonly string[]) => [
  'WORKER_KEY_ABSENT',
  `a worker of ${queue} needs keys of its home that are not here: ${files.join(', ')}`,
  'Copy them from the home that made them, as docs/workers.md says, or name their folder in SLIPWAY_KEYS. If no home has any: `slipway worker keys`.',
]);
export const roleRefused = problem.denied((address: string, role: string | null, queue: Queue) => [
  'WORKER_ROLE_REFUSED',
  `the Temporal server at ${address} does not let ${role === null ? 'a worker without a certificate' : `a certificate of ${role}`} serve the queue ${queue}`,
  `Set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH to those of the role ${[CONTROL, WORKFLOWS].includes(queue) ? 'control' : 'build'}${role === null ? '' : `, or name queues of the role ${role}`}; then \`slipway worker start\` again.`,
]);
export const quarantined = problem.config((worker: WorkerName, { reason, at }: WorkerRecord) => [
  'WORKER_QUARANTINED',
  `${worker} is in quarantine since ${at}: ${reason}`,
  `Fix the cause, then \`slipway worker release ${worker}\` and start the worker again.`,
]);
export const serverRefusesWorker = problem.infra((address: string, why: string) => [
  'WORKER_SERVER_SILENT',
  `no Temporal server answers this worker at ${address}: ${why}`,
  'Set TEMPORAL_ADDRESS (TEMPORAL_NAMESPACE, TEMPORAL_API_KEY or TEMPORAL_TLS_… where it asks for them), or type `slipway up`.',
]);
export const workersUnknown = problem.infra((why: string) => [
  'WORKERS_UNKNOWN',
  `Temporal did not list the workers: ${why}`,
  'The step retries. Check every service with `slipway doctor`; a server older than 1.32 has no list of workers.',
]);
export const metricsPortTaken = problem.config((address: string, why: string) => [
  'METRICS_PORT_TAKEN',
  `the page of metrics cannot be served at ${address}: ${why}`,
  'Name another port in SLIPWAY_METRICS, then `slipway up` or `slipway worker start` again. The workers of one command take ports in a row.',
]);
