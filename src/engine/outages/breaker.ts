import { STORE, DOCKER, type Service } from '../../model/outage.js';
import type { SkeletonStep } from '../../model/plan.js';
import type { StepProgress } from '../run/step-progress.js';

/** Failures in a row of one service that open an outage. Steps then wait for the service together. */
export const OPENS_AFTER = 3;
/** Wait before the first probe. It doubles, and is spread by a quarter so that runs do not probe at the same moment. */
const FIRST_TRY_MS = 5_000;
const SELDOM_MS = 90_000;
/** A probe counts as an answer after this time, if it also lasts twice as long as any that failed. It got further than those. */
const TRUSTED_AFTER_MS = 60_000;

/** An open outage, as plain data. Times are milliseconds since 1970. */
export interface Breaker {
  sinceMs: number;
  /** Probes that failed. */
  tries: number;
  nextTryAtMs: number;
  /** The step that probes the service. Null if none does now. */
  probe: number | null;
  /** When the attempt of the probe began. Null while it is queued. */
  probeAtMs: number | null;
  /** Number of probes by each step. Rotation keeps one broken step from holding the outage open. */
  readonly tried: Record<number, number>;
  /** The step that a person wants to probe next. */
  wanted: number | null;
  /** Longest attempt that failed. */
  slowestMs: number;
  /** Since when the service seems to answer, although no step is done yet. The next failure ends that. */
  trustedMs: number | null;
  /** The most steps that waited at once. */
  most: number;
  message: string;
  next: string;
}

/** @param random uniform in [0, 1) */
export function tryInMs(tries: number, random: number): number {
  const even = Math.min(SELDOM_MS, FIRST_TRY_MS * 2 ** Math.min(tries, 10));
  return Math.round(even * (0.75 + random / 2));
}

/** Returns when the running probe counts as an answer. Null if no probe runs. */
export const trustAtMs = ({ probeAtMs, slowestMs, trustedMs }: Breaker): number | null =>
  probeAtMs === null || trustedMs !== null ? null : probeAtMs + Math.max(TRUSTED_AFTER_MS, 2 * slowestMs);

/** Names the engine of one machine. Each machine has its own. */
export const namedOn = (service: Service, { on }: SkeletonStep): Service =>
  service === DOCKER ? `${DOCKER} on ${on}` : service;

/** Returns the services that a step needs: by its kind, and by its failures. */
export const needsOf = (step: SkeletonStep, cell: StepProgress): readonly Service[] => [
  STORE,
  ...(step.services ?? []).map((service) => namedOn(service, step)),
  ...(cell.learned ?? []),
];
