import type { Queue } from './ids.js';

/** Abilities of a queue's workers: host commands, containers, emulated platforms, cross builds, a sandbox. */
export const ABILITIES = ['host', 'container', 'emulated', 'cross', 'sandbox'] as const;
export type Ability = (typeof ABILITIES)[number];

export type Versions = Readonly<Record<string, string>>;

/** A worker's name, as people type it: `gpu@box-3fa2c1`. It survives a restart. */
export type WorkerName = string;

/** Abilities of a worker, found by running the tools at its start. Written once into the store. */
export interface Announcement {
  readonly worker: WorkerName;
  readonly queue: Queue;
  /** Id of one start of the worker. Its identity at Temporal is `worker/instance`. */
  readonly instance: string;
  readonly host: string;
  /** `linux-x86_64`. */
  readonly machine: string;
  /** `glibc 2.36`. Null if the system does not report it. */
  readonly libc: string | null;
  /** Tools that it looked for. `tools` has those that it found. */
  readonly lookedFor: readonly string[];
  readonly tools: Versions;
  /** By tag: `{ cp312: '3.12.11' }`. Pythons without headers are in `bare`. */
  readonly pythons: Versions;
  readonly bare: Versions;
  readonly can: readonly Ability[];
  readonly slots: number;
  /** Digest of the Slipway code that it runs. */
  readonly build: string;
  /** ISO 8601. */
  readonly at: string;
}

/** An operator's order to a worker: `drain` finishes running steps and ends, `quarantine` also bars a restart,
 * `release` lifts that. */
export interface WorkerRecord {
  readonly no: number;
  readonly action: 'drain' | 'quarantine' | 'release';
  readonly reason: string;
  readonly at: string;
}

/** A queue without a worker. Times are milliseconds since 1970. */
export interface UnservedQueue {
  readonly queue: Queue;
  readonly since: number;
}

/** Slots of the live workers, by queue. A queue with unknown slots is absent. */
export type Slots = Readonly<Record<Queue, number>>;

export interface FleetSeen {
  readonly unserved: readonly UnservedQueue[];
  readonly slots: Slots;
}

/** Whether a queue is named after one kind of machine, which alone may serve it: `linux-x86_64`. */
export const isMachine = (queue: Queue): boolean => /^(linux|macos|windows)-(x86_64|aarch64|arm64)$/.test(queue);

export const workerName = (queue: Queue, host: string): WorkerName => `${queue}@${host}`;
export const workerIdentity = (worker: WorkerName, instance: string): string => `${worker}/${instance}`;

/** Parses a worker's identity at Temporal. Null for a process that is no Slipway worker. */
export function readIdentity(identity: string): { readonly worker: WorkerName; readonly instance: string } | null {
  const [worker, instance, ...more] = identity.split('/');
  return worker?.includes('@') && instance && more.length === 0 ? { worker, instance } : null;
}

export const workerRecords = {
  announcement: (queue: Queue, worker: WorkerName, instance: string): string =>
    `workers/${queue}/${workerIdentity(worker, instance)}`,
  /** Pointer to the last `WorkerRecord`. */
  action: (worker: WorkerName): string => `workers/${worker}`,
  /** Pointer to `SharedAddresses`, for workers without services of their own. */
  services: 'services',
} as const;

/** Addresses of services by name, written by the last `slipway up` on this store. */
export interface SharedAddresses {
  readonly at: string;
  readonly addresses: Readonly<Record<string, string>>;
}
