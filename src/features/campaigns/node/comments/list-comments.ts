import type { Store } from '../../../../activities/ports.js';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { commentRecord, mayAsk, type CommentActivities, type Seen } from '../../pure/comments/messages.js';
import { type Comment, MOST_ON_PAGE, pageOf } from '../github/comments.js';

/** Most pages of a poll. The next poll goes on there. */
const MOST_PAGES = 11;
/** Age of the oldest comment that the first poll reads. */
const FIRST_MS = 3_600_000;

/** Lists comments that were not read, changed after what the last poll has seen, and may ask for something. */
export async function listComments(
  { store, to, now }: { store: Pick<Store, 'read'>; to: TrackerConnection; now: () => number },
  last: Seen = { since: new Date(now() - FIRST_MS).toISOString().replace(/\.\d+Z$/, 'Z') },
): ReturnType<CommentActivities['listComments']> {
  const { comments, ...seen } = await changed(to, last);
  const asking = comments.filter(({ body }) => mayAsk(body));
  const inputs = asking.map(({ id }) => ({ repository: to.repository, comment: id }));
  const read = await Promise.all(inputs.map((one) => store.read(commentRecord(one))));
  return { seen, unread: inputs.filter((_, at) => read[at] === null) };
}

/** Asks for pages from the last change that was seen: a comment that changes meanwhile moves to the end, and shifts pages. */
async function changed(to: TrackerConnection, seen: Seen): Promise<Seen & { readonly comments: readonly Comment[] }> {
  const comments = new Map<number, Comment>();
  let [{ since, etag }, page] = [seen, 1];
  for (let asked = 1; asked <= MOST_PAGES; asked += 1, etag = undefined) {
    const found = await pageOf(to, { since, page, etag });
    if (found.comments === null) return { ...seen, comments: [] };
    for (const one of found.comments) comments.set(one.id, one);
    const last = found.comments.at(-1)?.updated ?? since;
    // A page with room for more changes with the next comment.
    const isQuiet = asked === 1 && last <= since && found.comments.length < MOST_ON_PAGE;
    if (isQuiet && found.etag !== null) return { since, etag: found.etag, comments: [...comments.values()] };
    [since, page] = last > since ? [last, 1] : [since, page + 1];
    if (!found.hasNext) break;
  }
  return { since, comments: [...comments.values()] };
}
