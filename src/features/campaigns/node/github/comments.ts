import { isObject } from '../../../../model/check.js';
import { fail } from '../../../../model/failure.js';
import { ask } from '../../../../adapters/github/api.js';
import { notUnderstood } from '../../../../adapters/github/errors.js';
import { shown } from '../../../../adapters/http/request.js';
import type { Permission } from '../../pure/comments/hooks.js';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';

/** A comment as GitHub has it now. Times are ISO 8601, in seconds. */
export interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly author: string;
  readonly body: string;
  readonly created: string;
  readonly updated: string;
}

/** An open or closed pull request. */
export interface Pull {
  readonly number: number;
  readonly open: boolean;
  readonly author: string;
  readonly body: string;
  /** Full hash of its head. */
  readonly head: string;
  /** Full hash of the commit of its base branch. */
  readonly base: string;
  /** Branch of the head, and its repository. Null: that was deleted. */
  readonly from: { readonly repository: string; readonly branch: string; readonly pushed: string } | null;
}

/** Most bytes of a page of 100 comments: each has up to 65,536 characters. */
const PAGE = { what: 'a page of comments', mostBytes: 32 * 2 ** 20 };
export const MOST_ON_PAGE = 100;

/** Null: it was deleted. */
export async function commentOf(to: TrackerConnection, id: number): Promise<Comment | null> {
  const { status, body } = await ask(to, { path: `/issues/comments/${id}`, what: `a look at comment ${id}` });
  return status === 200 ? commentIn(to, body) : null;
}

/** Null: there is no pull request of this number. */
export async function pullOf(to: TrackerConnection, number: number): Promise<Pull | null> {
  const pull = await ask(to, { path: `/pulls/${number}`, what: `a look at pull request ${number}` });
  if (pull.status !== 200) return null;
  const at = textsIn(to, pull.body);
  const head = (...path: readonly string[]): string => at('head', ...path);
  const base = at('base', 'sha');
  if (![head('sha'), base].every((sha) => /^[0-9a-f]{40}$/.test(sha))) throw misread(to);
  const branch = { repository: head('repo', 'full_name'), branch: head('ref'), pushed: head('repo', 'pushed_at') };
  const from = Object.values(branch).includes('') ? null : branch;
  const [author, body] = [at('user', 'login'), at('body')];
  return { number, open: at('state') === 'open', author, body, head: head('sha'), base, from };
}

/** Null: GitHub knows no such user. */
export async function permissionOf(to: TrackerConnection, user: string): Promise<Permission | null> {
  const path = `/collaborators/${encodeURIComponent(user)}/permission`;
  const { status, body } = await ask(to, { path, what: `the permission of ${user}` });
  if (status !== 200) return null;
  const at = textsIn(to, body);
  return { permission: at('permission'), role: at('role_name') };
}

/** Returns the time of the last push to the head's branch, ISO 8601. Empty if GitHub does not say. */
export async function lastPushOf(to: TrackerConnection, { repository, branch }: NonNullable<Pull['from']>) {
  const query = new URLSearchParams({ ref: `refs/heads/${branch}`, per_page: '1' });
  const { body } = await ask({ ...to, repository }, { path: `/activity?${query}`, what: 'the pushes of a branch' });
  const [last] = Array.isArray(body) ? (body as readonly unknown[]) : [];
  return last === undefined ? '' : textsIn(to, last)('timestamp');
}

/** Comments of the repository since a time, oldest change first, or those of one issue. Null: none changed since the ETag. */
export async function pageOf(
  to: TrackerConnection,
  { since, page, etag, issue }: { since: string; page: number; etag?: string | undefined; issue?: number },
): Promise<{ readonly comments: readonly Comment[] | null; readonly hasNext: boolean; readonly etag: string | null }> {
  const order = issue === undefined && { sort: 'updated', direction: 'asc' };
  const query = new URLSearchParams({ since, per_page: String(MOST_ON_PAGE), page: String(page), ...order });
  const { status, body, headers } = await ask(to, {
    path: `/issues${issue === undefined ? '' : `/${issue}`}/comments?${query}`,
    ...{ expected: PAGE, what: 'a list of comments' },
    ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
  });
  if (status === 304) return { comments: null, hasNext: false, etag: etag ?? null };
  if (status !== 200) return { comments: [], hasNext: false, etag: null };
  if (!Array.isArray(body)) throw misread(to);
  const hasNext = /<[^>]*>;\s*rel="next"/.test(headers.get('link') ?? '');
  return { comments: body.map((one: unknown) => commentIn(to, one)), hasNext, etag: headers.get('etag') };
}

/** Returns the number of the new comment. Null: the issue is gone. */
export async function createComment(to: TrackerConnection, issue: number, text: string): Promise<number | null> {
  const path = `/issues/${issue}/comments`;
  const { body } = await ask(to, { method: 'POST', path, body: { body: text }, what: `a reply on ${issue}` });
  return body === null ? null : commentIn(to, body).id;
}

/** Returns false if the comment is gone. */
export async function changeComment(to: TrackerConnection, id: number, text: string): Promise<boolean> {
  const path = `/issues/comments/${id}`;
  const { body } = await ask(to, { method: 'PATCH', path, body: { body: text }, what: `a change of reply ${id}` });
  return body !== null;
}

function commentIn(to: TrackerConnection, value: unknown): Comment {
  const at = textsIn(to, value);
  const { id } = value as { readonly id?: unknown };
  const issue = Number(/\/issues\/(\d{1,15})$/.exec(at('issue_url'))?.[1]);
  if (typeof id !== 'number' || !Number.isSafeInteger(issue)) throw misread(to);
  const author = at('user', 'login');
  return { id, issue, author, body: at('body'), created: at('created_at'), updated: at('updated_at') };
}

/** Returns the texts of an answer by their paths. A text that is absent is empty: the user may be deleted. */
function textsIn(to: TrackerConnection, value: unknown): (...path: readonly string[]) => string {
  if (!isObject(value)) throw misread(to);
  return (...path) => {
    const found = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
    return typeof found === 'string' ? found : '';
  };
}

const misread = (to: TrackerConnection): Error => fail(notUnderstood(to.name, shown(to.address)));
