import type { Context } from '@temporalio/activity';
import { lostWorkers } from '../../model/answers.js';
import { HEARTBEAT_MS } from '../../model/heartbeat.js';
import type { HeartbeatDetails } from '../../model/messages.js';
import type { StepLog } from './ports.js';

/** A running heartbeat. It stops at the end of the block whose `using` holds it. */
export interface Pulse extends Disposable {
  watch(log: StepLog): void;
  /** Sets the reason why the step itself waits. Null: it goes on. */
  waits(because: string | null): void;
  told(): HeartbeatDetails;
  /** Workers that began this attempt before and are gone. Empty if there are none. */
  readonly lost: Pick<HeartbeatDetails, 'lost'>;
}

/** Sends a heartbeat each second with the last line of the log, which Temporal shows with the activity.
 * @param waitsFor reason why it waits; sent in place of the line
 * @param worker name of this worker, from which the next one learns which worker is gone */
export function heartbeat(context: Context, waitsFor: () => string | null = () => null, worker?: string): Pulse {
  let log: StepLog | null = null;
  let step: string | null = null;
  const lost = lostBefore(context.info);
  const told = (): HeartbeatDetails => {
    const waits = waitsFor() ?? step;
    const line = log?.tail(1)[0];
    return {
      ...(worker !== undefined && { worker }),
      ...(waits !== null ? { waits } : line !== undefined && { line }),
      ...lost,
    };
  };
  const timer = setInterval(() => {
    try {
      context.heartbeat(told());
    } catch {
      // The activity has just ended.
    }
  }, HEARTBEAT_MS);
  return {
    watch: (opened) => (log = opened),
    waits: (because) => (step = because),
    told,
    lost,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Reads the last heartbeat of the worker before. Any program that takes tasks can send one. */
function lostBefore({
  attempt,
  heartbeatDetails,
  currentAttemptScheduledTimestampMs,
}: Context['info']): Pick<HeartbeatDetails, 'lost'> {
  if (attempt === 1) return {};
  const told = (heartbeatDetails ?? {}) as HeartbeatDetails;
  const earlier = lostWorkers(told.lost ?? []) === null ? (told.lost ?? []) : [];
  const worker = typeof told.worker === 'string' ? told.worker.slice(0, LONGEST_NAME) : null;
  return { lost: [...earlier, { worker, atMs: currentAttemptScheduledTimestampMs }] };
}
const LONGEST_NAME = 300;
