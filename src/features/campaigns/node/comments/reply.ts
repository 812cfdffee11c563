import { setTimeout as sleep } from 'node:timers/promises';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import type { RunStatus } from '../../../../model/messages.js';
import type { Telling } from '../../pure/comments/messages.js';
import { markerOf, renderReply } from '../../pure/comments/reply.js';
import { changeComment, createComment, pageOf } from '../github/comments.js';

/** Waits before looks for a reply whose creation had no answer: lists show a new comment late. */
const LOOK_WAITS_MS: readonly number[] = [1_000, 4_000];
const MOST_PAGES = 10;
/** Least time between two edits of a reply. */
const EDIT_MS = 10_000;

/** Creates the reply, or changes that of an earlier attempt (`isAgain`). Returns its number. Null: the pull request is gone. */
export async function tellReply(
  to: TrackerConnection,
  { place, reply }: Telling,
  isAgain: boolean,
): Promise<number | null> {
  for (const waitMs of isAgain ? [0, ...LOOK_WAITS_MS] : [0]) {
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: to.signal });
    const known = await replyOf(to, place, markerOf(reply.mark));
    if (known !== null && (await changeComment(to, known, renderReply(reply)))) return known;
  }
  return createComment(to, place.issue, renderReply(reply));
}

/** Returns the number of the first comment with the marker, since the one that it answers. Nobody else knew the marker before. */
async function replyOf(
  to: TrackerConnection,
  { issue, since }: Telling['place'],
  marker: string,
): Promise<number | null> {
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
export async function followed({ statuses, lastMs, nowMs, pause, edited, tell }: Following): Promise<RunStatus | null> {
  let [newest, told, editedMs] = [null as RunStatus | null, null as RunStatus | null, lastMs];
  const watched = (async () => {
    for await (const status of statuses) newest = status;
    return true;
  })();
  const edit = (status: RunStatus, isLast: boolean): Promise<void> => {
    edited((editedMs = nowMs()));
    return tell(status, isLast);
  };
  while (!(await Promise.race([watched, pause(EDIT_MS)])))
    if (newest !== null && newest !== told) await edit((told = newest), false);
  if (newest === null) return null;
  await pause(Math.max(0, editedMs + EDIT_MS - nowMs()));
  await edit(newest, true);
  return newest;
}
