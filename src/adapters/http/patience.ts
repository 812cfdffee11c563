/** Time for the answer to a short request. */
const DEFAULT_MS = 60_000;
/** Slowest acceptable transfer, bytes per second. */
const SLOWEST_PER_SECOND = 32 << 10;

export interface Patience {
  /** Aborts with the peer's own signal, or when the time is over. */
  readonly signal: AbortSignal;
  /** Restarts the timer for an answer of this length. */
  again(bytes: number): void;
}

/** Limits a request's time. Without it, a server that sends a byte now and then would occupy a step until the step's
 * limit.
 * @param bytes length of the request body, which extends the time */
export function startPatience(own: AbortSignal, patienceMs = DEFAULT_MS, bytes = 0): Patience {
  const over = new AbortController();
  const start = (more: number): NodeJS.Timeout => {
    const ms = Math.round(patienceMs + (more / SLOWEST_PER_SECOND) * 1000);
    const end = (): void => over.abort(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'));
    return setTimeout(end, Math.min(ms, 2 ** 31 - 1)).unref();
  };
  let timer = start(bytes);
  return {
    signal: AbortSignal.any([own, over.signal]),
    again(more) {
      clearTimeout(timer);
      timer = start(more);
    },
  };
}
