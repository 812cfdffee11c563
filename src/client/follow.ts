import { fail, SlipwayFailure } from '../model/failure.js';
import type { RunStatus } from '../model/messages.js';
import { ask, isNotNow, orSilent } from './ask.js';
import { codecsOf, type ClientContext } from './client-context.js';
import { isOpen, query, statusOf } from './status.js';
import { withWaits, failingTask } from './waits.js';
import { askLatest, latest, type Latest } from './history-chain.js';
import { unlessAborted } from './unless-aborted.js';

const POLL_MS = 300;
/** Runs with more steps are polled less often, so that answering takes 1/20 of the time. Client, server and worker
 * all use CPU that steps need. Shorter changes may be missed. */
const LARGE_STEPS = 500;
const SHARE = 20;
const LONGEST_POLL_MS = 2000;
/** Limits the delay of the end to a tenth of the time watched. */
const LATE = 10;
/** Interval after the verdict, while Temporal closes the run. */
const CLOSING_POLL_MS = 50;
/** Longest outage of the server or its workers before watching fails. */
const PATIENCE_MS = 10 * 60_000;
/** Time after which a server that does not answer counts as away. The SDK itself tries a request for half a minute. */
const ANSWER_MS = 5000;
/** Limit of all questions to a server that answers: a closed run may have a long history. */
const LOOK_MS = 120_000;
/** Why a watched run waits meanwhile. */
const AWAY = 'the server does not answer; the run goes on when it is back (`slipway up`), and this command waits';

/** Polls the run and yields changed statuses. The last one is the final status, unless the signal ends it. While the server is away,
 * the status says so. */
export async function* followRun(
  context: ClientContext,
  workflowId: string,
  run?: string,
  signal?: AbortSignal,
): AsyncGenerator<RunStatus> {
  const patience = new Patience();
  const first = ask(context, `watch ${workflowId}`, { workflowId, run }, () => latest(context, workflowId, run));
  const found = (await unlessAborted(first, signal))?.description;
  // Follows this run, even if another one starts under the same id.
  let at = found?.runId;
  let last = '';
  let seen: RunStatus | null = null;
  const sinceMs = performance.now();
  while (!signal?.aborted) {
    const beganMs = performance.now();
    const asked = patience.try(() => lookAgain(context, { workflowId, run: at }, seen));
    const answer = await unlessAborted(asked, signal);
    at = answer?.history ?? at;
    seen = answer?.status ?? seen;
    const told = answer?.status ?? (seen && patience.away ? { ...seen, waits: AWAY } : null);
    const text = told && JSON.stringify(told);
    const tookMs = performance.now() - beganMs;
    if (told && text !== last) yield told;
    last = text ?? last;
    if (answer?.closed) return;
    await pause(pauseMs(tookMs, performance.now() - sinceMs, seen), signal);
  }
}

function lookAgain(context: ClientContext, about: About, seen: RunStatus | null): Promise<Looked> {
  const { workflowId, run } = about;
  const within = <T>(ms: number, act: () => Promise<T>) => context.client.withDeadline(Date.now() + ms, act);
  const now = (found: Latest) => within(LOOK_MS, () => look(context, found, seen));
  return ask(context, `watch ${workflowId}`, about, () =>
    within(ANSWER_MS, () => askLatest(context, workflowId, run, now)),
  );
}

type About = Parameters<typeof ask>[2];
type Looked = { readonly status: RunStatus; readonly closed: boolean; readonly history: string };

/** Follows the run to its end. Returns its last status. */
export async function lastStatus(context: ClientContext, workflowId: string, run?: string): Promise<RunStatus> {
  let last: RunStatus | null = null;
  for await (const status of followRun(context, workflowId, run)) last = status;
  return last!;
}

/** Returns the current status. `closed` is true only once Temporal has closed the run, which allows a new start.
 * @param seen the last status, returned again while the workflow task fails */
async function look(context: ClientContext, { handle, description }: Latest, seen: RunStatus | null): Promise<Looked> {
  const { runId: history } = description;
  if (!isOpen(description.status.name))
    return { status: await statusOf(context, handle.workflowId, history), closed: true, history };
  const told = await query(context, handle).catch((error: unknown) => {
    const failing = failingTask(description);
    if (failing === null) return orSilent(handle.workflowId)(error);
    if (seen === null) throw fail(failing);
    return seen;
  });
  return { status: await withWaits(told, description, codecsOf(context)), closed: false, history };
}

/** Tolerates transient errors for PATIENCE_MS. */
class Patience {
  #since: number | null = null;
  /** Whether the server did not answer the last request. */
  away = false;

  async try<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      const answer = await request();
      this.#since = null;
      this.away = false;
      return answer;
    } catch (error) {
      this.away = error instanceof SlipwayFailure && error.first.code === 'SERVER_UNREACHABLE';
      this.#since ??= performance.now();
      if (!isNotNow(error) || performance.now() - this.#since > PATIENCE_MS) throw error;
      return null;
    }
  }
}

function pauseMs(tookMs: number, watchedMs: number, seen: RunStatus | null): number {
  if (seen?.verdict) return CLOSING_POLL_MS;
  if ((seen?.steps.length ?? 0) <= LARGE_STEPS) return POLL_MS;
  return Math.max(POLL_MS, Math.min(SHARE * tookMs, watchedMs / LATE, LONGEST_POLL_MS));
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
