import { fail } from '../model/failure.js';
import type { RunStatus } from '../model/messages.js';
import { ask, isNotNow } from './ask.js';
import { codecsOf, type ClientContext } from './client-context.js';
import { taskFails } from './errors.js';
import { isOpen, query, statusOf } from './status.js';
import { withWaits } from './waits.js';
import { failingTask } from './failing-task.js';
import { askLatest, latest, type Latest } from './history-chain.js';

const POLL_MS = 300;
/** A run of more steps is asked so seldom that answering takes a twentieth of the time, but at least every two seconds: client, server and
 * worker all work on an answer, on the cores that steps want. What lasts less is not seen, and in a small run it is. */
const LARGE_STEPS = 500;
const SHARE = 20;
const LONGEST_POLL_MS = 2000;
/** However large: who has watched for so long may learn of the end a tenth of that later. */
const LATE = 10;
/** A run that has told its verdict closes within this. */
const CLOSING_POLL_MS = 50;
/** How long a server or its workers may be away before watching is given up. */
const PATIENCE_MS = 10 * 60_000;

/** Polls the run and yields what changed; the last status is the one that the run ended with. */
export async function* watchRun(
  door: ClientContext,
  workflowId: string,
  run?: string,
  signal?: AbortSignal,
): AsyncGenerator<RunStatus> {
  const patience = new Patience();
  const about = { workflowId, run };
  const { description: found } = await ask(door, `watch ${workflowId}`, about, () => latest(door, workflowId, run));
  // From here on it is this run, even when another is started under the id.
  let at = found.runId;
  let last = '';
  let seen: RunStatus | null = null;
  const sinceMs = performance.now();
  while (!signal?.aborted) {
    const beganMs = performance.now();
    const answer = await patience.try(() =>
      ask(door, `watch ${workflowId}`, { workflowId, run: at }, () =>
        askLatest(door, workflowId, at, (now) => look(door, now, seen)),
      ),
    );
    at = answer?.history ?? at;
    seen = answer?.status ?? seen;
    const text = answer && JSON.stringify(answer.status);
    const tookMs = performance.now() - beganMs;
    if (answer && text !== last) yield answer.status;
    last = text ?? last;
    if (answer?.closed) return;
    await pause(pauseMs(tookMs, performance.now() - sinceMs, seen), signal);
  }
}

/** A run that says it has ended is followed until Temporal has closed it: then it may be started again.
 * @param seen what it told last: where its own code fails, nobody answers for it */
async function look(
  door: ClientContext,
  { handle, description }: Latest,
  seen: RunStatus | null,
): Promise<{ status: RunStatus; closed: boolean; history: string }> {
  const { runId: history } = description;
  if (!isOpen(description.status.name))
    return { status: await statusOf(door, handle.workflowId, history), closed: true, history };
  const told = await query(door, handle).catch((error: unknown) => {
    const failing = failingTask(description);
    if (failing === null) throw error;
    if (seen === null) throw fail(taskFails(failing.workflowId, failing.tries));
    return seen;
  });
  return { status: await withWaits(told, description, codecsOf(door)), closed: false, history };
}

/** Puts up with errors that pass, until they have lasted too long. */
class Patience {
  #since: number | null = null;

  async try<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      const answer = await request();
      this.#since = null;
      return answer;
    } catch (error) {
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
