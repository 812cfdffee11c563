import { fail } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import type { StepOf } from '../../model/plan.js';
import { limitReached } from './errors.js';
import type { StepLog } from './ports.js';

/** setTimeout fires at once for longer delays. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the clock, or starts it with the whole limit. */
  stands(still: boolean): void;
  stop(): void;
}

/** Aborts work without a limit of its own, such as a build inside an engine. Otherwise Temporal times the attempt out
 * and retries it as if its worker were lost. */
export function deadline({ id, limitMs }: StepOf<KindName>, log: StepLog, graceMs: number): Deadline {
  const over = new AbortController();
  const end = (): void => over.abort(fail(limitReached(id, limitMs, log.tail())));
  const begin = (): NodeJS.Timeout => setTimeout(end, Math.min(limitMs + graceMs, LONGEST_TIMER_MS));
  let timer = begin();
  const stop = (): void => clearTimeout(timer);
  return {
    signal: over.signal,
    stands: (still) => {
      stop();
      if (!still) timer = begin();
    },
    stop,
  };
}
