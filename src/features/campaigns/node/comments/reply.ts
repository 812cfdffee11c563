import { setTimeout as pause } from 'node:timers/promises';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import type { RunStatus } from '../../../../model/messages.js';
import type { ReplyPlace, Telling } from '../../pure/comments/messages.js';
import { markerOf, renderReply } from '../../pure/comments/reply.js';
import { changeComment, createComment, pageOf } from '../github/comments.js';

/** Waits before looks for a reply whose creation had no answer: lists show a new comment late. */
const LOOK_WAITS_MS: readonly number[] = [1_000, 4_000];
const MOST_PAGES = 10;
/** Least time between two edits of a reply. */
const EDIT_MS = 10_000;

/** Creates the reply, or changes the one that is there. Returns its number. Null: the pull request is gone.
 * @param isAgain an earlier attempt may have created it */
export async function tellReply(
  to: TrackerConnection,
  { place, reply }: Telling,
  isAgain: boolean,
): Promise<number | null> {
  for (const waitMs of isAgain ? [0, ...LOOK_WAITS_MS] : [0]) {
    if (waitMs > 0) await pause(waitMs, undefined, { signal: to.signal });
    const known = await replyOf(to, place, markerOf(reply.mark));
    if (known !== null && (await changeComment(to, known, renderReply(reply)))) return known;
  }
  return createComment(to, place.issue, renderReply(reply));
}

/** Returns the number of the first comment with the marker, since the one that it answers. Nobody else knew the marker before. */
async function replyOf(to: TrackerConnection, { issue, since }: ReplyPlace, marker: string): Promise<number | null> {
  for (let page = 1, more = true; more && page <= MOST_PAGES; page += 1) {
    const { comments, hasNext } = await pageOf(to, { issue, since, page });
    const ours = comments?.find(({ body }) => body.startsWith(marker));
    if (ours !== undefined) return ours.id;
    more = hasNext;
  }
  return null;
}

/** A run whose reply is edited. */
export interface Following {
  /** Statuses of the run as they change. The last one has the verdict. */
  readonly statuses: AsyncIterable<RunStatus>;
  /** Time of the last edit by an attempt that was lost, in milliseconds since 1970. */
  readonly lastMs: number;
  nowMs(): number;
  pause(ms: number): Promise<void>;
  /** Called with the time of each edit. */
  edited(atMs: number): void;
  tell(status: RunStatus, isLast: boolean): Promise<void>;
}

/** Tells how a run goes on, at most once in ten seconds, and its end. Returns the last status. Null: there was none. */
export async function followed({ statuses, nowMs, ...following }: Following): Promise<RunStatus | null> {
  let newest: RunStatus | null = null;
  let [lastMs, isOver] = [following.lastMs, false];
  const watching = (async () => {
    for await (const status of statuses) newest = status;
  })().finally(() => (isOver = true));
  watching.catch(() => undefined);
  const tell = (status: RunStatus, isLast: boolean): Promise<void> => {
    following.edited((lastMs = nowMs()));
    return following.tell(status, isLast);
  };
  for (let told: RunStatus | null = null; ;) {
    await Promise.race([watching, following.pause(EDIT_MS)]);
    if (isOver) break;
    if (newest !== told && newest !== null) await tell((told = newest), false);
  }
  await watching;
  if (newest === null) return null;
  await following.pause(Math.max(0, lastMs + EDIT_MS - nowMs()));
  await tell(newest, true);
  return newest;
}
