import { STORE, DOCKER, type Service } from '../../model/outage.js';
import type { SkeletonStep } from '../../model/plan.js';
import type { StepProgress } from '../run/step-progress.js';

/** Failures of one service, without a success of it in between, after which steps wait for it together. */
export const OPENS_AFTER = 3;
/** Wait before the first try, doubling; each is spread by a quarter, so that runs do not knock together. */
const FIRST_TRY_MS = 5_000;
const SELDOM_MS = 90_000;
/** A try that lasts longer than this, and twice as long as any that failed, has got further than those: the service answers. */
const TRUSTED_AFTER_MS = 60_000;

/** What a run knows of a service that does not answer: plain data. Times are milliseconds since 1970. */
export interface Breaker {
  sinceMs: number;
  /** Tries that failed. */
  tries: number;
  nextTryAtMs: number;
  /** The one step that is let through; null: none now. */
  probe: number | null;
  /** When its attempt began; null: it still stands in line. */
  probeAtMs: number | null;
  /** How often each step was let through: a step with trouble of its own must not stand for all. */
  readonly tried: Record<number, number>;
  /** The step that a person wants to be let through next. */
  wanted: number | null;
  /** Longest attempt that failed. */
  slowestMs: number;
  /** Since when it seems to answer, though no step has got done yet; the next failure says otherwise. */
  trustedMs: number | null;
  /** Most steps that waited at once. */
  most: number;
  message: string;
  next: string;
}

/** @param random uniform in [0, 1) */
export function tryInMs(tries: number, random: number): number {
  const even = Math.min(SELDOM_MS, FIRST_TRY_MS * 2 ** Math.min(tries, 10));
  return Math.round(even * (0.75 + random / 2));
}

/** When the try that is under way counts as an answer; null: none is. */
export const trustAtMs = ({ probeAtMs, slowestMs, trustedMs }: Breaker): number | null =>
  probeAtMs === null || trustedMs !== null ? null : probeAtMs + Math.max(TRUSTED_AFTER_MS, 2 * slowestMs);

/** Each machine has an engine of its own. */
export const namedOn = (service: Service, { on }: SkeletonStep): Service =>
  service === DOCKER ? `${DOCKER} on ${on}` : service;

/** Services that a step is known to need: by its kind, and from its failures. */
export const needsOf = (step: SkeletonStep, cell: StepProgress): readonly Service[] => [
  STORE,
  ...(step.services ?? []).map((service) => namedOn(service, step)),
  ...(cell.learned ?? []),
];
