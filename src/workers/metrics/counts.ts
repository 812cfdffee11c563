import { ApplicationFailure, CancelledFailure, type MetricMeter } from '@temporalio/common';
import { SlipwayFailure } from '../../model/failure.js';
import type { FailureDetails, StepEnding } from '../../model/messages.js';

/** Counters of one worker. No label has names of a release: each has a bounded list of values. */
export interface Counts {
  /** Counts an attempt when it has ended. */
  attempt(kind: string, ending: Promise<StepEnding>): void;
  /** Counts requests that the store did not carry out. */
  storeErrors(operation: string, times: number): void;
}

export function createCounts(meter: MetricMeter): Counts {
  const attempts = meter.createCounter('slipway_attempts', undefined, 'Attempts of steps that ended here');
  const conflicts = meter.createCounter('slipway_publish_conflicts', undefined, 'Attempts that found other bytes');
  const losses = meter.createCounter('slipway_workers_lost', undefined, 'Attempts whose worker was lost or ended');
  const store = meter.createCounter('slipway_store_errors', undefined, 'Requests that the store did not carry out');
  // A counter that first appears with 1 has no increase, and no alert would see it.
  conflicts.add(0);
  losses.add(0);
  const count = (kind: string, outcome: string, failure: string): void => {
    attempts.add(1, { kind, outcome, class: failure });
    if (failure === 'conflict') conflicts.add(1);
    if (failure === 'lost') losses.add(1);
  };
  return {
    attempt: (kind, ending) =>
      void ending
        .then(
          ({ outcome, lost = [] }) => {
            for (const _ of lost) count(kind, 'failed', 'lost');
            count(kind, outcome, 'none');
          },
          (error: unknown) => count(kind, isCancel(error) ? 'cancelled' : 'failed', classOf(error)),
        )
        .catch(ignored),
    storeErrors: (operation, times) => store.add(times, { operation }),
  };
}

/** An error of the counting itself ends no worker. */
const ignored = (): void => undefined;

const isCancel = (error: unknown): boolean => classOf(error) === 'cancelled';

function classOf(error: unknown): string {
  if (error instanceof CancelledFailure) return 'cancelled';
  if (!(error instanceof ApplicationFailure)) return 'bug';
  if (error.type === 'WORKER_ENDED') return 'lost';
  return (error.details?.[0] as FailureDetails | undefined)?.problems[0]?.class ?? 'bug';
}

/** Wraps a store so that each request that fails by the store itself is counted, from 0 on. What was asked for and is absent or
 * altered is no error of the store, nor is a cancel. Reading of a stream that `get` has given is not counted. */
export const countedStore = <S extends object>(store: S, count: Counts['storeErrors']): S =>
  Object.fromEntries(
    Object.entries(store).map(([operation, act]: [string, unknown]) => {
      if (typeof act !== 'function') return [operation, act];
      count(operation, 0);
      return [operation, counted(act as Act, () => count(operation, 1))];
    }),
  ) as S;

type Act = (...about: readonly unknown[]) => unknown;

const counted =
  (act: Act, onError: () => void): Act =>
  (...about) => {
    const asked = act(...about);
    if (asked instanceof Promise) asked.catch((error: unknown) => isOfStore(error) && onError()).catch(ignored);
    return asked;
  };

function isOfStore(error: unknown): boolean {
  if (error instanceof SlipwayFailure) return error.first.class === 'infra';
  return !(error instanceof CancelledFailure) && (error as Error | undefined)?.name !== 'AbortError';
}
