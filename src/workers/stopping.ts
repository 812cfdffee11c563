import type { Worker } from '@temporalio/worker';

/** Time between a signal and the cancel of running steps, which other workers then retry. */
const GRACE_MS = 10_000;
/** Signals within this time count as one: terminal, service manager and parent process may all send it. */
const SAME_SIGNAL_MS = 2000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface Stopping {
  /** Aborts when steps must end. */
  readonly signal: AbortSignal;
  /** These workers stop polling at the first signal. */
  watch(workers: readonly Worker[]): void;
  /** Aborts at the first signal, before the grace time. */
  readonly asked: AbortSignal;
}

/** A drain may take any time, a signal ten seconds. Temporal's SDK has one time for both, so this code limits the
 * second. */
export function createStopping(): Stopping {
  const [over, asked] = [new AbortController(), new AbortController()];
  let all: readonly Worker[] = [];
  let askedMs = 0;
  const end = (): void => {
    if (asked.signal.aborted && Date.now() - askedMs > SAME_SIGNAL_MS) process.exit(1); // a second signal ends at once
    if (asked.signal.aborted) return;
    askedMs = Date.now();
    asked.abort();
    stopAll(all);
    setTimeout(() => over.abort(), GRACE_MS).unref();
  };
  for (const name of SIGNALS) process.on(name, end);
  process.on('disconnect', end); // the parent process in the terminal has ended
  return {
    signal: over.signal,
    asked: asked.signal,
    watch(workers) {
      all = workers;
      if (asked.signal.aborted) stopAll(all);
    },
  };
}

export function stopAll(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
