import type { Context } from '@temporalio/activity';
import { HEARTBEAT_MS } from '../../model/heartbeat.js';
import type { HeartbeatDetails } from '../../model/messages.js';
import type { StepLog } from './ports.js';

/** A running heartbeat. It stops at the end of the block whose `using` holds it. */
export interface Pulse extends Disposable {
  watch(log: StepLog): void;
  /** Sets the reason why the step itself waits. Null: it goes on. */
  waits(because: string | null): void;
  told(): HeartbeatDetails;
}

/** Sends a heartbeat each second with the last line of the log, which Temporal shows with the activity.
 * @param waitsFor reason why it waits; sent in place of the line */
export function heartbeat(context: Context, waitsFor: () => string | null = () => null): Pulse {
  let log: StepLog | null = null;
  let step: string | null = null;
  const told = (): HeartbeatDetails => {
    const waits = waitsFor() ?? step;
    return waits === null ? (log?.tail(1)[0] ?? null) : { waits };
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
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
