import type { FailureClass, Problem } from '../../model/failure.js';
import type { RetryPolicy, Step } from '../../model/plan.js';

export type NextMove =
  | {
      readonly do: 'again';
      readonly inMs: number;
      readonly because: string;
      readonly togetherMs?: number | undefined;
    }
  | { readonly do: 'end'; readonly as: 'failed' };

/** Retries after a worker with other tools refuses a step. A refusal is instant and may repeat while other workers are
 * busy, so it uses no infra retry. In total about a quarter of an hour. */
const ELSEWHERE: RetryPolicy = { times: 60, waitMs: 2000, atMostMs: 30_000 };

export const isRefusal = (problems: readonly Problem[]): boolean =>
  problems.some(({ code }) => code === 'TOOLCHAIN_DIFFERS');

/** Decides after a worker has refused a step.
 * @param refusals number so far, including this one
 * @param random uniform in [0, 1) */
export function afterRefusal(refusals: number, random: number): NextMove {
  if (refusals > ELSEWHERE.times) return { do: 'end', as: 'failed' };
  return { do: 'again', inMs: backoffMs(ELSEWHERE, refusals, random), because: 'a worker with other tools refused it' };
}

/** Retries after a worker's runner process was killed. One kill ends attempts of many steps through no fault of theirs,
 * but a command that uses all memory causes it repeatedly. */
const RUNNER: RetryPolicy = { times: 5, waitMs: 1000, atMostMs: 30_000 };

export const isRunnerLost = (problems: readonly Problem[]): boolean =>
  problems.length > 0 && problems.every(({ code }) => code === 'RUNNER_LOST');

/** Decides after the runner of a step's worker was lost.
 * @param times number so far, including this one
 * @param random uniform in [0, 1) */
export function afterRunnerLost(times: number, random: number): NextMove {
  if (times > RUNNER.times) return { do: 'end', as: 'failed' };
  const because = `what watched over its command was killed, which counts as no try of its own: again ${times} of ${RUNNER.times}`;
  return { do: 'again', inMs: backoffMs(RUNNER, times, random), because };
}

/** Decides after a failed attempt. Infrastructure failures and lost workers are retried within their budgets, product
 * failures only if the step has a budget for them. Other failures are not retried.
 * @param failures classes of all failed attempts of the step so far, oldest first
 * @param random uniform in [0, 1) */
export function next(policy: Step['retry'], failures: readonly FailureClass[], random: number): NextMove {
  const last = failures.at(-1);
  const retry = last === 'infra' || last === 'lost' || last === 'product' ? policy[last] : undefined;
  const failed = failures.filter((one) => one === last).length;
  if (retry === undefined || failed > retry.times) return { do: 'end', as: 'failed' };
  return {
    do: 'again',
    inMs: backoffMs(retry, failed, random),
    because: `${last}: try again ${failed} of ${retry.times}`,
    togetherMs: retry.togetherMs,
  };
}

/** Returns the class that decides about an attempt with several problems. A class that a retry cannot fix wins. */
export function classOf(problems: readonly Problem[]): FailureClass {
  const classes = problems.map((problem) => problem.class);
  const rank: readonly FailureClass[] = [
    'conflict',
    'cancelled',
    'bug',
    'denied',
    'config',
    'product',
    'infra',
    'lost',
  ];
  return rank.find((one) => classes.includes(one)) ?? 'bug';
}

/** Returns the wait before the next attempt, in milliseconds, after `failed` attempts (from 1). Exponential with full
 * jitter: AWS Architecture Blog, "Exponential Backoff And Jitter" (2015). From a range it is drawn evenly, as Ray's
 * release tests wait 30 to 90 minutes for a cluster.
 * @param random uniform in [0, 1); passed in so that a run replays the same */
export function backoffMs(policy: RetryPolicy, failed: number, random: number): number {
  const { waitMs, waitToMs, atMostMs } = policy;
  if (waitToMs !== undefined) return Math.floor(waitMs + random * Math.max(0, waitToMs - waitMs));
  return Math.floor(random * Math.min(atMostMs, waitMs * 2 ** (failed - 1)));
}
