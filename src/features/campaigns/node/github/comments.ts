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
  const { status, body } = await ask(to, { path: `/pulls/${number}`, what: `a look at pull request ${number}` });
  if (status !== 200) return null;
  const { state, head, body: text, user } = fields(to, body);
  const { sha, ref, repo } = fields(to, head);
  if (typeof sha !== 'string' || !/^[0-9a-f]{40}$/.test(sha)) throw misread(to);
  const of = isObject(repo) ? repo : null;
  const [repository, pushed] = [of?.['full_name'], of?.['pushed_at']];
  const hasPlace = typeof repository === 'string' && typeof ref === 'string' && typeof pushed === 'string';
  return {
    ...{ number, open: state === 'open', author: loginIn(user), body: textOf(text), head: sha },
    from: hasPlace ? { repository, branch: ref, pushed } : null,
  };
}

/** Null: GitHub knows no such user. */
export async function permissionOf(to: TrackerConnection, user: string): Promise<Permission | null> {
  const path = `/collaborators/${encodeURIComponent(user)}/permission`;
  const { status, body } = await ask(to, { path, what: `the permission of ${user}` });
  if (status !== 200) return null;
  const { role_name: role, permission } = fields(to, body);
  return { permission: textOf(permission), role: textOf(role) };
}

/** Returns the time of the last push to the head's branch, ISO 8601. Null if GitHub does not say. */
export async function lastPushOf(to: TrackerConnection, { repository, branch }: NonNullable<Pull['from']>) {
  const query = new URLSearchParams({ ref: `refs/heads/${branch}`, per_page: '1' });
  const { body } = await ask({ ...to, repository }, { path: `/activity?${query}`, what: 'the pushes of a branch' });
  const [last] = Array.isArray(body) ? (body as readonly unknown[]) : [];
  return isObject(last) ? textOf(last['timestamp']) || null : null;
}

export interface Page {
  /** Null: nothing changed since the answer with this ETag. */
  readonly comments: readonly Comment[] | null;
  readonly hasNext: boolean;
  readonly etag: string | null;
}

/** Comments of the repository, or of one issue, since a time, oldest change first. */
export async function pageOf(
  to: TrackerConnection,
  { since, page, etag, issue }: { since: string; page: number; etag?: string | undefined; issue?: number },
): Promise<Page> {
  const query = new URLSearchParams({ since, per_page: String(MOST_ON_PAGE), page: String(page) });
  if (issue === undefined)
    for (const [key, value] of [
      ['sort', 'updated'],
      ['direction', 'asc'],
    ])
      query.set(key!, value!);
  const { status, body, headers } = await ask(to, {
    path: `/issues${issue === undefined ? '' : `/${issue}`}/comments?${query}`,
    ...{ expected: PAGE, what: 'a list of comments' },
    ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
  });
  if (status === 304) return { comments: null, hasNext: false, etag: etag ?? null };
  if (status === 404 || status === 410) return { comments: [], hasNext: false, etag: null };
  if (!Array.isArray(body)) throw misread(to);
  return {
    comments: body.map((one: unknown) => commentIn(to, one)),
    hasNext: /<[^>]*>;\s*rel="next"/.test(headers.get('link') ?? ''),
    etag: headers.get('etag'),
  };
}

/** Returns the number of the new comment. Null: the issue is gone. */
export async function createComment(to: TrackerConnection, issue: number, body: string): Promise<number | null> {
  const sent = {
    method: 'POST',
    path: `/issues/${issue}/comments`,
    body: { body },
    what: `a reply on ${issue}`,
  } as const;
  const { status, body: made } = await ask(to, sent);
  return status === 404 || status === 410 ? null : commentIn(to, made).id;
}

/** Returns false if the comment is gone. */
export async function changeComment(to: TrackerConnection, id: number, body: string): Promise<boolean> {
  const sent = {
    method: 'PATCH',
    path: `/issues/comments/${id}`,
    body: { body },
    what: `a change of reply ${id}`,
  } as const;
  const { status } = await ask(to, sent);
  return status !== 404 && status !== 410;
}

function commentIn(to: TrackerConnection, value: unknown): Comment {
  const { id, issue_url: url, user, body, created_at: created, updated_at: updated } = fields(to, value);
  const issue = Number(/\/issues\/(\d{1,15})$/.exec(textOf(url))?.[1]);
  if (typeof id !== 'number' || !Number.isSafeInteger(issue)) throw misread(to);
  return {
    ...{ id, issue, author: loginIn(user), body: textOf(body) },
    created: textOf(created),
    updated: textOf(updated),
  };
}

function fields(to: TrackerConnection, value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw misread(to);
  return value;
}

const misread = (to: TrackerConnection): Error => fail(notUnderstood(to.name, shown(to.address)));
/** Null for a user who was deleted. */
const loginIn = (user: unknown): string => (isObject(user) ? textOf(user['login']) : '');
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
