import type { StepId } from './ids.js';

/** Name of a service that a step may need: `docker`, `staging`, `store`, `target:NAME`, `cluster:NAME`, or the host:port of a server. */
export type Service = string;

export const STORE: Service = 'store';
export const DOCKER: Service = 'docker';
export const STAGING: Service = 'staging';

/** Service of a target. Images are taken from the staging registry, which is no target of the profile. */
export const targetService = (target: string): Service => (target === STAGING ? STAGING : `target:${target}`);

export const clusterService = (cluster: string): Service => `cluster:${cluster}`;

export const isTarget = (service: Service): boolean => service.startsWith('target:');

/** Default limit of a step's wait for a service that is down; `retry.outage` overrides it. */
export const OUTAGE_LIMIT_MS = 24 * 3_600_000;

/** An outage that made steps wait. Times are milliseconds since 1970. */
export interface Outage {
  /** Name for display. With two Docker engines, one is `docker on gpu`. */
  readonly service: Service;
  readonly since: number;
  /** End of the outage, or of the last wait. Absent while the outage lasts. */
  readonly until?: number;
  /** Steps that wait for it. For an ended outage, the highest number at once. */
  readonly steps: number;
  readonly nextTryAt?: number;
  readonly trying?: StepId;
  readonly message: string;
  readonly next: string;
}

export const isOpenOutage = ({ until }: Outage): boolean => until === undefined;
