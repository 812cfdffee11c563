import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  TimeoutFailure,
  isCancellation,
} from '@temporalio/workflow';
import { problems as problemsCheck } from '../model/answers.js';
import { isObject, text } from '../model/check.js';
import { SlipwayFailure, type Problem } from '../model/failure.js';
import type { FailureDetails } from '../model/messages.js';
import { readIdentity } from '../model/worker.js';
import { answerRefused, notReadable, stepStopped, unclassed, workerLost, workerTooOld } from './errors.js';

/** The work that failed. */
export interface About {
  /** A step's id, or `planning`. */
  readonly id: string;
  readonly kind: string;
  readonly on: string;
}

/** Returns the problems of any failure. Ours are in its details, Temporal's own get a code here, and the rest is a bug. */
export function problemsOf(error: unknown, about: About): readonly Problem[] {
  if (error instanceof SlipwayFailure) return error.problems;
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (isCancellation(error) || cause instanceof CancelledFailure) return [stepStopped(about.id)];
  const worker = workerOf(error);
  if (cause instanceof TimeoutFailure) return [workerLost(about, `${cause.timeoutType} time-out`, worker)];
  if (cause instanceof ApplicationFailure) return applicationProblems(cause, about, worker);
  return [unclassed(about.id, textOf(cause), stackOf(cause))];
}

/** Returns the problem of a malformed answer. Our workers give none. */
export const refused = (about: string, fault: string, answer: unknown): Problem => {
  const worker = isObject(answer) ? answer['worker'] : undefined;
  return answerRefused(about, fault, text(200)(worker) === null ? JSON.stringify(worker) : null);
};

/** Returns the last worker of an attempt. Null if Temporal does not say. */
const workerOf = (error: unknown): string | null =>
  error instanceof ActivityFailure ? (readIdentity(error.identity ?? '')?.worker ?? null) : null;

function applicationProblems(failure: ApplicationFailure, about: About, worker: string | null): readonly Problem[] {
  const coded = (failure.details?.[0] as FailureDetails | undefined)?.problems;
  if (Array.isArray(coded) && coded.length > 0) {
    const fault = problemsCheck(coded);
    return fault === null ? coded : [answerRefused(about.id, `fails with problems of which ${fault}`, worker)];
  }
  if (failure.type === 'WORKER_ENDED') return [workerLost(about, failure.message, worker)];
  if (failure.type === 'NotFoundError') return [workerTooOld(about.kind, about.on, failure.message)];
  const [, code, why] = UNREADABLE.exec(failure.message) ?? [];
  if (code !== undefined && why !== undefined) return [notReadable(about.id, about.on, code, why)];
  return [unclassed(about.id, failure.message, stackOf(failure))];
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const stackOf = (error: unknown): readonly string[] =>
  error instanceof Error && error.stack ? error.stack.split('\n').slice(0, 12) : [];

/** Finds a codec's refusal in the SDK's error. Only the text of our failure arrives. */
const UNREADABLE = /^Failed to parse activity args .*?: (CODEC_[A-Z_]+): (.*)/s;
