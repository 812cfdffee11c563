/** Returns the answer. Null once the signal aborts: the request goes on, and its answer is lost. */
export async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  const over = new AbortController();
  const aborted = new Promise<null>((resolve) => {
    if (signal?.aborted) resolve(null);
    signal?.addEventListener('abort', () => resolve(null), { once: true, signal: over.signal });
  });
  return Promise.race([answer, aborted]).finally(() => over.abort());
}
