import { STORE, DOCKER, type Service } from '../../model/outage.js';
import type { SkeletonStep } from '../../model/plan.js';
import type { StepProgress } from '../run/step-progress.js';

/** Consecutive failures of one service that open an outage. */
export const OPENS_AFTER = 3;
/** Wait before the first probe. It doubles, with a jitter of a quarter, so that runs do not probe at the same moment. */
const FIRST_TRY_MS = 5_000;
const SELDOM_MS = 90_000;
/** A probe counts as successful after this time, if it also lasts twice as long as any failed one. */
const TRUSTED_AFTER_MS = 60_000;

/** An open outage, as plain data. Times are milliseconds since 1970. */
export interface Breaker {
  sinceMs: number;
  tries: number;
  nextTryAtMs: number;
  probe: number | null;
  /** Start of the probe's attempt. Null while it is queued. */
  probeAtMs: number | null;
  /** Probe count per step: rotation stops one broken step from keeping the service marked down. */
  readonly tried: Record<number, number>;
  /** The step that an operator wants to probe next. */
  wanted: number | null;
  slowestMs: number;
  /** Time since which the service seems to answer, before a step is done. The next failure clears it. */
  trustedMs: number | null;
  /** The highest number of waiting steps. */
  most: number;
  message: string;
  next: string;
}

/** @param random uniform in [0, 1) */
export function tryInMs(tries: number, random: number): number {
  const even = Math.min(SELDOM_MS, FIRST_TRY_MS * 2 ** Math.min(tries, 10));
  return Math.round(even * (0.75 + random / 2));
}

/** Returns when the running probe counts as successful. Null without a running probe. */
export const trustAtMs = ({ probeAtMs, slowestMs, trustedMs }: Breaker): number | null =>
  probeAtMs === null || trustedMs !== null ? null : probeAtMs + Math.max(TRUSTED_AFTER_MS, 2 * slowestMs);

/** Adds the queue to Docker's name, because each machine has its own engine. */
export const namedOn = (service: Service, { on }: SkeletonStep): Service =>
  service === DOCKER ? `${DOCKER} on ${on}` : service;

/** Returns the services that a step needs: by its kind, and by its failures. */
export const needsOf = (step: SkeletonStep, cell: StepProgress): readonly Service[] => [
  STORE,
  ...(step.services ?? []).map((service) => namedOn(service, step)),
  ...(cell.learned ?? []),
];
