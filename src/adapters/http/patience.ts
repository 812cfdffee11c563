/** How long a server may think about a short question. */
const DEFAULT_MS = 60_000;
/** Bytes that a connection worth keeping moves in a second. */
const SLOWEST_PER_SECOND = 32 << 10;

export interface Patience {
  /** Aborts with the peer's own signal, and when the time is over. */
  readonly signal: AbortSignal;
  /** Begins anew, once the answer says how long it is. */
  again(bytes: number): void;
}

/** A server that sends a byte now and then would otherwise hold a step until its limit.
 * @param bytes that travel besides the question, and for which there is more time */
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
