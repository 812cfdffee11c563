import { verify } from 'node:crypto';
import type { Answered, Comment, GithubDouble, Issue } from './github.js';

export const NOT_FOUND: Answered = [404, { message: 'Not Found' }];

export interface Pull {
  /** Full hash of the head. */
  head: string;
  /** Full hash of the base. */
  base: string;
  /** `owner/name` of the head. Null: that repository was deleted. */
  readonly from: string | null;
  readonly branch: string;
  /** Last push to it, ISO 8601, in seconds. */
  pushed: string;
}
export type Person = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';
export interface App {
  readonly id: string;
  readonly installation: string;
  /** PEM. */
  readonly publicKey: string;
}
export type Tokens = Map<string, number>;

export const secondsOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Author of what a token writes. */
export const loginOf = ({ token }: GithubDouble, bearer: string): string =>
  bearer === token ? 'robot' : 'slipway[bot]';
export const isKnownToken = ({ tokens, now }: GithubDouble, bearer: string): boolean =>
  (tokens.get(bearer) ?? 0) > now();

/** Adds a comment by a person. */
export function addComment(double: GithubDouble, issue: number, author: string, body: string): Comment {
  const at = secondsOf(double.now());
  const comment = { ...{ id: double.nextComment, author, body, at }, updated: at };
  double.nextComment += 1;
  double.issues.find(({ number }) => number === issue)!.comments.push(comment);
  return comment;
}
/** Opens a pull request of a branch of the repository, or of another repository. */
export function addPull(
  double: GithubDouble,
  of: Partial<Omit<Pull, 'pushed'>> & { readonly author: string; readonly body?: string },
): Issue {
  const {
    author,
    body = '',
    head = '0'.repeat(40),
    base = '0'.repeat(40),
    from = double.repository,
    branch = 'topic',
  } = of;
  const pull = { head, base, from, branch, pushed: secondsOf(double.now()) };
  const number = double.issues.length + 1;
  const issue: Issue = {
    ...{ number, title: `Change ${number}`, body, labels: [], state: 'open', author, comments: [] },
    hiddenFor: 0,
    pull,
  };
  double.issues.push(issue);
  return issue;
}
/** Pushes a commit to the branch of a pull request. */
export function push(double: GithubDouble, issue: Issue, head: string): void {
  const pull = issue.pull as Pull;
  Object.assign(pull, { head, pushed: secondsOf(double.now()) });
  double.pushes = [{ ref: `refs/heads/${pull.branch}`, timestamp: pull.pushed }, ...(double.pushes ?? [])];
}

type Sent = { readonly body?: string };

/** Comments, pull requests, permissions and tokens. Null: another route. */
export function route(
  double: GithubDouble,
  method: string,
  url: URL,
  path: string,
  sent: Sent,
  bearer: string,
): Answered | null {
  const [, first, second, third, fourth] = path.split('/');
  const query = url.searchParams;
  if (first === 'app')
    return method === 'POST' && fourth === 'access_tokens' ? tokenFor(double, third!, bearer) : NOT_FOUND;
  if (url.pathname.endsWith('/activity')) return [200, activity(double, query)];
  if (first === 'collaborators' && third === 'permission') return permission(double, decodeURIComponent(second!));
  if (first === 'pulls' && third === undefined) return pullOf(double, Number(second));
  if (first !== 'issues') return null;
  if (second === 'comments')
    return third === undefined
      ? commentsOf(double, url, double.issues)
      : oneComment(double, method, Number(third), sent);
  if (third !== 'comments') return null;
  const issue = double.issues.find(({ number }) => number === Number(second));
  if (issue === undefined) return NOT_FOUND;
  if (issue.state === 'deleted') return [410, { message: 'This issue was deleted' }];
  if (method === 'GET') return commentsOf(double, url, [issue]);
  const refused = refusalOf(sent);
  return refused ?? [201, shown(double, issue, addComment(double, issue.number, loginOf(double, bearer), sent.body!))];
}

const invalid = (message: string): Answered => [
  422,
  { message: 'Validation Failed', errors: [{ resource: 'IssueComment', code: 'unprocessable', message }] },
];
const refusalOf = ({ body }: Sent): Answered | null =>
  typeof body !== 'string' || body.trim() === ''
    ? invalid('Body cannot be blank')
    : body.length > 65_536
      ? invalid('Body is too long (maximum is 65536 characters)')
      : null;

function oneComment(double: GithubDouble, method: string, id: number, sent: Sent): Answered {
  const issue = double.issues.find(({ comments }) => comments.some((one) => one.id === id));
  const comment = issue?.comments.find((one) => one.id === id);
  if (issue === undefined || comment === undefined) return NOT_FOUND;
  if (method === 'DELETE') {
    issue.comments = issue.comments.filter((one) => one !== comment);
    return [204, null];
  }
  if (method === 'PATCH') {
    const refused = refusalOf(sent);
    if (refused !== null) return refused;
    Object.assign(comment, { body: sent.body, updated: secondsOf(double.now()) });
  }
  return [200, shown(double, issue, comment)];
}

/** Of the repository in the order of creation, or of changes; of one issue in the order of creation. */
function commentsOf(double: GithubDouble, url: URL, issues: readonly Issue[]): Answered {
  const query = url.searchParams;
  const since = Math.floor(Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z') / 1000) * 1000;
  const all = issues
    .flatMap((issue) => issue.comments.map((comment) => ({ issue, comment })))
    .filter(({ comment }) => Date.parse(comment.updated) >= since)
    .sort((a, b) => a.comment.id - b.comment.id);
  if (query.get('sort') === 'updated')
    all.sort((a, b) => Date.parse(a.comment.updated) - Date.parse(b.comment.updated));
  if (query.get('sort') !== null && query.get('direction') !== 'asc') all.reverse();
  return paged(
    url,
    all.map(({ issue, comment }) => shown(double, issue, comment)),
  );
}

/** A page of 30, or of up to 100, with its neighbours in Link. */
function paged(url: URL, all: readonly object[]): Answered {
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30));
  const page = Number(url.searchParams.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const to = (no: number, rel: string): string => {
    const other = new URL(url);
    other.searchParams.set('page', String(no));
    return `<${other.href}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to(page - 1, 'prev')] : []),
    ...(page < last ? [to(page + 1, 'next'), to(last, 'last')] : []),
    ...(page > 1 ? [to(1, 'first')] : []),
  ];
  return [200, all.slice((page - 1) * size, page * size), links.length === 0 ? {} : { link: links.join(', ') }];
}

const shown = (
  { address, repository }: GithubDouble,
  { number }: Issue,
  { id, author, body, at, updated }: Comment,
): object => ({
  ...{ id, body, user: { login: author }, created_at: at, updated_at: updated },
  issue_url: `${address}/repos/${repository}/issues/${number}`,
});

function pullOf({ issues }: GithubDouble, no: number): Answered {
  const issue = issues.find(({ number }) => number === no);
  if (issue?.pull === undefined || issue.pull === true) return NOT_FOUND;
  const { head, base, from, branch, pushed } = issue.pull;
  const { number, state, title, body, author = 'ghost' } = issue;
  const repo = from === null ? null : { full_name: from, pushed_at: pushed };
  const ends = { head: { sha: head, ref: branch, repo }, base: { sha: base } };
  return [200, { ...{ number, state, title, body, user: { login: author } }, ...ends }];
}

function permission({ people }: GithubDouble, login: string): Answered {
  const role = people[login] === undefined ? 'read' : people[login];
  if (role === null) return NOT_FOUND;
  const legacy = { maintain: 'write', triage: 'read' }[role as string] ?? role;
  return [200, { permission: legacy, role_name: role, user: { login } }];
}

const activity = ({ pushes }: GithubDouble, query: URLSearchParams): readonly object[] =>
  (pushes ?? []).filter(({ ref }) => (query.get('ref') ?? ref) === ref).slice(0, Number(query.get('per_page') ?? 30));

/** The token of an installation, for an hour. The app signs a JWT with RS256, which counts for ten minutes. */
function tokenFor({ app, tokens, now }: GithubDouble, installation: string, jwt: string): Answered {
  const refused: Answered = [401, { message: 'A JSON web token could not be decoded' }];
  const [head, claims, signature] = jwt.split('.');
  if (app === null || head === undefined || claims === undefined || signature === undefined) return refused;
  const of = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  try {
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      app.publicKey,
      Buffer.from(signature, 'base64url'),
    );
    const { iss, iat, exp } = of(claims);
    const isTimely = Number(iat) <= now() / 1000 && Number(exp) > now() / 1000 && Number(exp) - Number(iat) <= 600;
    if (!isSigned || of(head)['alg'] !== 'RS256' || String(iss) !== app.id || !isTimely) return refused;
  } catch {
    return refused;
  }
  if (installation !== app.installation) return NOT_FOUND;
  const token = `ghs_${tokens.size}_${installation}`;
  tokens.set(token, now() + 3_600_000);
  return [201, { token, expires_at: secondsOf(now() + 3_600_000) }];
}

/** Text of the delivery `issue_comment` of a comment, as it is signed. */
export function deliveryOf(double: GithubDouble, id: number, action = 'created'): string {
  const issue = double.issues.find(({ comments }) => comments.some((one) => one.id === id))!;
  const { number, state, title, author = 'ghost' } = issue;
  const comment = shown(
    double,
    issue,
    issue.comments.find((one) => one.id === id)!,
  );
  const about = { number, state, title, user: { login: author }, ...(issue.pull && { pull_request: {} }) };
  return JSON.stringify({ action, issue: about, comment, repository: { full_name: double.repository } });
}
