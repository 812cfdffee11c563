import type { StepId } from './ids.js';

/** Name of a service that a step may need: `docker`, `staging`, `store`, `target:NAME`, or the host:port of a server. */
export type Service = string;

/** The store: every step needs it. */
export const STORE: Service = 'store';
export const DOCKER: Service = 'docker';
export const STAGING: Service = 'staging';

/** A target as a service; images are taken from the staging registry, which is no target of the profile. */
export const targetService = (target: string): Service => (target === STAGING ? STAGING : `target:${target}`);

export const isTarget = (service: Service): boolean => service.startsWith('target:');

/** How long a step waits for a service that does not answer, unless `retry.outage` says otherwise. */
export const OUTAGE_LIMIT_MS = 24 * 3_600_000;

/** A service that did not answer, and for which steps waited. Times are milliseconds since 1970. */
export interface Outage {
  /** The name on screens: one engine of two is `docker on gpu`. */
  readonly service: Service;
  readonly since: number;
  /** When it answered again, or no step waited any more. Absent while the outage lasts. */
  readonly until?: number;
  /** Steps that wait for it; of one that is over: the most that did at once. */
  readonly steps: number;
  /** When the next probe starts. */
  readonly nextTryAt?: number;
  /** The one that is let through now. */
  readonly trying?: StepId;
  /** The failure of the last attempt. */
  readonly message: string;
  readonly next: string;
}

export const isOpenOutage = ({ until }: Outage): boolean => until === undefined;
