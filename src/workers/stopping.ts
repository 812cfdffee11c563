import type { Worker } from '@temporalio/worker';

/** Between a signal and the end of what is under way: another worker goes on with it. */
const GRACE_MS = 10_000;
/** The terminal, a service manager and the process that started us may all tell the same. */
const SAME_WORD_MS = 2000;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface Stopping {
  /** Steps end when it aborts. */
  readonly signal: AbortSignal;
  /** From the first signal of the system on, these take no more; steps get a grace time. */
  watch(workers: readonly Worker[]): void;
  /** Aborts with the first signal of the system, before any grace. */
  readonly asked: AbortSignal;
}

/** A drain has all the time it needs, a signal of the system ten seconds; Temporal's SDK knows one time for both, so it is ours. */
export function createStopping(): Stopping {
  const [over, asked] = [new AbortController(), new AbortController()];
  let all: readonly Worker[] = [];
  let askedMs = 0;
  const end = (): void => {
    if (asked.signal.aborted && Date.now() - askedMs > SAME_WORD_MS) process.exit(1); // somebody is impatient
    if (asked.signal.aborted) return;
    askedMs = Date.now();
    asked.abort();
    stopAll(all);
    setTimeout(() => over.abort(), GRACE_MS).unref();
  };
  for (const name of SIGNALS) process.on(name, end);
  process.on('disconnect', end); // whoever started us in a terminal is gone
  return {
    signal: over.signal,
    asked: asked.signal,
    watch(workers) {
      all = workers;
      if (asked.signal.aborted) stopAll(all);
    },
  };
}

/** Take no more, and finish what is under way. */
export function stopAll(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
