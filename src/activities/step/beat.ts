import type { Context } from '@temporalio/activity';
import type { StepLog } from './ports.js';

const HEARTBEAT_MS = 1_000;

/** Tells Temporal each second that we live, with the last line of the log for whoever looks at the activity. */
export function beat(context: Context): { watch(log: StepLog): void; stop(): void } {
  let log: StepLog | null = null;
  const timer = setInterval(() => {
    try {
      context.heartbeat(log?.tail(1)[0] ?? null);
    } catch {
      // The activity just ended; there is nobody to tell.
    }
  }, HEARTBEAT_MS);
  return {
    watch: (opened) => (log = opened),
    stop: () => clearInterval(timer),
  };
}
