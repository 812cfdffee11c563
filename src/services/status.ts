import type { Problem } from '../model/failure.js';
import type { Identity } from '../adapters/process/identity.js';

/** Progress of the supervisor, written atomically at each change. */
export interface Status {
  readonly version: 1;
  readonly supervisor: Identity;
  /** Digests of the workers' code (`build`) and the supervisor's code (`code`). */
  readonly build: string;
  readonly code: string;
  readonly services: Readonly<Record<string, ServiceStatus>>;
  /** The services that `up --only` named. Absent: all. */
  readonly only?: readonly string[];
  /** Notes for the user: a service left out, an older database. */
  readonly notes: readonly string[];
}
export interface ServiceStatus {
  readonly state: 'waiting' | 'starting' | 'ready' | 'failing' | 'ended';
  /** Milliseconds from its start to its first answer. */
  readonly tookMs?: number;
  /** Reason of the last end; absent once the service answers. */
  readonly problem?: string;
  /** A problem that the user must fix before the service can start. */
  readonly mend?: Problem;
  readonly failedTimes: number;
  readonly log: string;
  readonly address?: string;
}

export const allReady = (status: Status): boolean =>
  Object.values(status.services).every((service) => service.state === 'ready');
