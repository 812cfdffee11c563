import type { Context } from '@temporalio/activity';
import type { Beat } from '../../model/messages.js';
import type { StepLog } from './ports.js';

const HEARTBEAT_MS = 1_000;

/** Tells Temporal each second that we live, with the last line of the log for whoever looks at the activity.
 * @param waitsFor what keeps it from going on, which is told instead */
export function beat(
  context: Context,
  waitsFor: () => string | null = () => null,
): { watch(log: StepLog): void; stop(): void } {
  let log: StepLog | null = null;
  const timer = setInterval(() => {
    try {
      const waits = waitsFor();
      const told: Beat = waits === null ? (log?.tail(1)[0] ?? null) : { waits };
      context.heartbeat(told);
    } catch {
      // The activity just ended; there is nobody to tell.
    }
  }, HEARTBEAT_MS);
  return {
    watch: (opened) => (log = opened),
    stop: () => clearInterval(timer),
  };
}
