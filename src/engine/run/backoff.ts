import type { RetryPolicy } from '../../model/plan.js';

/** Returns the wait before the next attempt, in milliseconds, after `failed` attempts (from 1). Exponential with full
 * jitter: AWS Architecture Blog, "Exponential Backoff And Jitter" (2015). From a range it is drawn evenly, as Ray's
 * release tests wait 30 to 90 minutes for a cluster.
 * @param random uniform in [0, 1); passed in so that a run replays the same */
export function backoffMs(policy: RetryPolicy, failed: number, random: number): number {
  const { waitMs, waitToMs, atMostMs } = policy;
  if (waitToMs !== undefined) return Math.floor(waitMs + random * Math.max(0, waitToMs - waitMs));
  return Math.floor(random * Math.min(atMostMs, waitMs * 2 ** (failed - 1)));
}
