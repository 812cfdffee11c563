import { setTimeout as wait } from 'node:timers/promises';

/** Polls until the condition holds or the limit passes. Returns whether it holds. */
export async function until(
  so: () => Promise<boolean> | boolean,
  limitMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + limitMs;
  let waitMs = 20;
  while (!signal?.aborted) {
    if (await so()) return true;
    if (performance.now() > end) return false;
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 1.5, 200);
  }
  return false;
}

/** Resolves early if the signal aborts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => undefined);
