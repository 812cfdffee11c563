import type { Problem } from '../model/failure.js';
import type { Queue } from '../model/ids.js';
import type { WorkerName, WorkerRecord } from '../model/worker.js';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

export const queueUnknown = (queue: Queue, known: readonly Queue[]): Problem =>
  config(
    'WORKER_QUEUE_UNKNOWN',
    `there is no queue ${queue}`,
    `Name a queue of config/queues.yaml: ${known.join(', ')}.`,
  );

export const bodyWithoutKind = (feature: string, name: string): Problem =>
  config(
    'FEATURE_BODY_WITHOUT_KIND',
    `feature "${feature}" has a body for "${name}", and no such kind`,
    `Add the kind to src/features/${feature}/kinds.ts, or remove the body from node.ts.`,
  );

export const wrongMachine = (queue: Queue, machine: string): Problem =>
  config(
    'WORKER_WRONG_MACHINE',
    `the queue ${queue} is for machines of that platform, and this one is ${machine}`,
    `Start it there; here: \`slipway worker start --queues ${machine}\`.`,
  );

export const requiredToolAbsent = (queue: Queue, tools: readonly string[]): Problem =>
  config(
    'WORKER_TOOL_ABSENT',
    `workers of ${queue} must have ${tools.join(', ')}, and this one does not find ${tools.length === 1 ? 'it' : 'them'}`,
    `Install ${tools.length === 1 ? 'it' : 'them'}, or put the folder on the worker's PATH; config/queues.yaml lists the required tools of a queue.`,
  );

export const keyAbsent = (queue: Queue, files: readonly string[]): Problem =>
  config(
    'WORKER_KEY_ABSENT',
    `a worker of ${queue} needs keys of its home that are not here: ${files.join(', ')}`,
    'Copy them from the home that made them, as docs/workers.md says, or name their folder in SLIPWAY_KEYS. If no home has any: `slipway worker keys`.',
  );

export const quarantined = (worker: WorkerName, { reason, at }: WorkerRecord): Problem =>
  config(
    'WORKER_QUARANTINED',
    `${worker} is in quarantine since ${at}: ${reason}`,
    `Fix the cause, then \`slipway worker release ${worker}\` and start the worker again.`,
  );

export const serverRefusesWorker = (address: string, why: string): Problem => ({
  code: 'WORKER_SERVER_SILENT',
  class: 'infra',
  message: `no Temporal server answers this worker at ${address}: ${why}`,
  next: 'Set TEMPORAL_ADDRESS (TEMPORAL_NAMESPACE, TEMPORAL_API_KEY or TEMPORAL_TLS_… where it asks for them), or type `slipway up`.',
});

export const workersUnknown = (why: string): Problem => ({
  code: 'WORKERS_UNKNOWN',
  class: 'infra',
  message: `Temporal did not list the workers: ${why}`,
  next: 'The step retries. Check every service with `slipway doctor`; a server older than 1.32 has no list of workers.',
});
