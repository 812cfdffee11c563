import type { Context } from '@temporalio/activity';
import { HEARTBEAT_MS } from '../../model/heartbeat.js';
import type { HeartbeatDetails } from '../../model/messages.js';
import type { StepLog } from './ports.js';

/** Tells Temporal each second that we live, with the last line of the log for whoever looks at the activity.
 * @param waitsFor what keeps it from going on, which is told instead */
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
      // The activity just ended; there is nobody to tell.
    }
  }, HEARTBEAT_MS);
  return {
    watch: (opened) => (log = opened),
    told,
    stop: () => clearInterval(timer),
  };
}
