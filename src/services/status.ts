import type { Problem } from '../model/failure.js';
import type { Identity } from '../adapters/process/identity.js';

/** What the supervisor is doing; written atomically at each change. */
export interface Status {
  readonly version: 1;
  readonly supervisor: Identity;
  /** Digest of the code that the workers run, and of the code that supervises. */
  readonly build: string;
  readonly code: string;
  readonly services: Readonly<Record<string, ServiceStatus>>;
  /** What a person should know: a service left out, an older database. */
  readonly notes: readonly string[];
}
export interface ServiceStatus {
  readonly state: 'waiting' | 'starting' | 'ready' | 'failing' | 'ended';
  /** From its start to its first answer. */
  readonly tookMs?: number;
  /** Why it ended last; gone once it answers. */
  readonly problem?: string;
  /** Where somebody must mend something before it can start. */
  readonly mend?: Problem;
  /** Since the supervisor started. */
  readonly failedTimes: number;
  readonly log: string;
  readonly address?: string;
}

export const allReady = (status: Status): boolean =>
  Object.values(status.services).every((service) => service.state === 'ready');
