import { setTimeout as pause } from 'node:timers/promises';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { changeComment, createComment, pageOf } from '../github/comments.js';
import type { ReplyPlace } from '../../pure/comments/messages.js';
import { markerOf, type ReplyState, renderReply } from '../../pure/comments/reply.js';

/** Waits before looks for a reply whose creation had no answer: lists show a new comment late. */
const LOOK_WAITS_MS: readonly number[] = [1_000, 4_000];
const MOST_PAGES = 10;

/** Creates the reply, or changes the one that is there. Returns its number. Null: the comment is gone.
 * @param isAgain an earlier attempt may have created it */
export async function tellReply(
  to: TrackerConnection,
  place: ReplyPlace,
  reply: ReplyState,
  isAgain: boolean,
  waitsMs: readonly number[] = LOOK_WAITS_MS,
): Promise<number | null> {
  const body = renderReply(reply);
  let known = await replyOf(to, place);
  for (const waitMs of isAgain ? waitsMs : []) {
    if (known !== null) break;
    await pause(waitMs, undefined, { signal: to.signal });
    known = await replyOf(to, place);
  }
  if (known !== null && (await changeComment(to, known, body))) return known;
  return createComment(to, place.issue, body);
}

/** Returns the number of the first comment that begins with the mark, since the one that it answers. Null without one. */
async function replyOf(to: TrackerConnection, { issue, since, mark }: ReplyPlace): Promise<number | null> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { comments, hasNext } = await pageOf(to, { issue, since, page });
    const ours = comments?.find(({ body }) => body.startsWith(markerOf(mark)));
    if (ours !== undefined) return ours.id;
    if (!hasNext) break;
  }
  return null;
}
