import type { Context } from '@temporalio/activity';
import { HEARTBEAT_MS } from '../../model/heartbeat.js';
import type { HeartbeatDetails } from '../../model/messages.js';
import type { StepLog } from './ports.js';

/** Sends a heartbeat each second with the last line of the log, which Temporal shows with the activity.
 * @param waitsFor reason why it waits; sent in place of the line */
export function heartbeat(
  context: Context,
  waitsFor: () => string | null = () => null,
): { watch(log: StepLog): void; told(): HeartbeatDetails; stop(): void } {
  let log: StepLog | null = null;
  const told = (): HeartbeatDetails => {
    const waits = waitsFor();
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
    told,
    stop: () => clearInterval(timer),
  };
}
