import { setTimeout as pause } from 'node:timers/promises';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import type { ReplyPlace } from '../../pure/comments/messages.js';
import { markerOf, type ReplyState, renderReply } from '../../pure/comments/reply.js';
import { changeComment, createComment, pageOf } from '../github/comments.js';

/** Waits before looks for a reply whose creation had no answer: lists show a new comment late. */
const LOOK_WAITS_MS: readonly number[] = [1_000, 4_000];
const MOST_PAGES = 10;

/** Creates the reply, or changes the one that is there. Returns its number. Null: the pull request is gone.
 * @param isAgain an earlier attempt may have created it */
export async function tellReply(
  to: TrackerConnection,
  place: ReplyPlace,
  reply: ReplyState,
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
