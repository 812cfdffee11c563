import type { Queue } from './ids.js';

/** Capabilities of a queue's workers: commands of the host, containers, what is for another machine, builds for one, programs in a
 * sandbox. */
export const ABILITIES = ['host', 'container', 'emulated', 'cross', 'sandbox'] as const;
export type Ability = (typeof ABILITIES)[number];

/** Versions by tool or by Python tag. */
export type Versions = Readonly<Record<string, string>>;

/** A worker by the name that people type: `gpu@box-3fa2c1`. It is the same each time the worker starts. */
export type WorkerName = string;

/** The abilities of a worker, found by running the tools at its start. Written once into the store. */
export interface Announcement {
  readonly worker: WorkerName;
  readonly queue: Queue;
  /** One start of the worker; its identity at Temporal is `worker/instance`. */
  readonly instance: string;
  readonly host: string;
  /** `linux-x86_64`. */
  readonly machine: string;
  /** `glibc 2.36`; null where the system does not say. */
  readonly libc: string | null;
  /** Tools that it looked for. Absent ones are missing in `tools`. */
  readonly lookedFor: readonly string[];
  readonly tools: Versions;
  /** By tag: `{ cp312: '3.12.11' }`; those without headers are in `bare` instead. */
  readonly pythons: Versions;
  readonly bare: Versions;
  readonly can: readonly Ability[];
  /** Steps under way at once. */
  readonly slots: number;
  /** Digest of the Slipway code that it runs. */
  readonly build: string;
  /** ISO 8601. */
  readonly at: string;
}

/** An operator's order to a worker: `drain` finishes running steps and ends, `quarantine` also keeps it away, `release` lets it come back. */
export interface WorkerRecord {
  /** Counts up for each worker. */
  readonly no: number;
  readonly action: 'drain' | 'quarantine' | 'release';
  readonly reason: string;
  readonly at: string;
}

/** A queue that nobody serves. Times are milliseconds since 1970. */
export interface UnservedQueue {
  readonly queue: Queue;
  readonly since: number;
}

/** Steps that the living workers of a queue carry out at once; queues of which that is not known are absent. */
export type Slots = Readonly<Record<Queue, number>>;

/** Queues without a worker, and the slots of the others. */
export interface FleetSeen {
  readonly unserved: readonly UnservedQueue[];
  readonly slots: Slots;
}

/** Whether a queue is named after one kind of machine, so that only such a machine may serve it: `linux-x86_64`. */
export const isMachine = (queue: Queue): boolean => /^(linux|macos|windows)-(x86_64|aarch64|arm64)$/.test(queue);

export const workerName = (queue: Queue, host: string): WorkerName => `${queue}@${host}`;
export const workerIdentity = (worker: WorkerName, instance: string): string => `${worker}/${instance}`;

/** Queue, name and instance of a worker's identity at Temporal; null for a process that is no worker of ours. */
export function readIdentity(identity: string): { readonly worker: WorkerName; readonly instance: string } | null {
  const [worker, instance, ...more] = identity.split('/');
  return worker?.includes('@') && instance && more.length === 0 ? { worker, instance } : null;
}

/** Names in the store. */
export const workerRecords = {
  announcement: (queue: Queue, worker: WorkerName, instance: string): string =>
    `workers/${queue}/${workerIdentity(worker, instance)}`,
  /** Pointer to the last `WorkerRecord`. */
  action: (worker: WorkerName): string => `workers/${worker}`,
  /** Pointer to `SharedAddresses`, for workers that have no services of their own. */
  services: 'services',
} as const;

/** Addresses of services by name, as the last `slipway up` on this store wrote them. */
export interface SharedAddresses {
  readonly at: string;
  readonly addresses: Readonly<Record<string, string>>;
}
