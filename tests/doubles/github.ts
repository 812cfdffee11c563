import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { control } from './github-control.js';
import {
  type App,
  isKnownToken,
  loginOf,
  NOT_FOUND,
  type Person,
  type Pull,
  route,
  type Tokens,
} from './github-routes.js';

/** Times are ISO 8601, in seconds. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  body: string;
  /** Creation. */
  readonly at: string;
  updated: string;
}

export interface Issue {
  readonly number: number;
  readonly title: string;
  body: string;
  labels: string[];
  state: 'open' | 'closed' | 'deleted';
  /** Default: `ghost`. */
  readonly author?: string;
  comments: Comment[];
  /** Lists show it after this many lists of open issues. */
  hiddenFor: number;
  /** It is a pull request. `true`: of unknown commits. */
  readonly pull?: true | Pull;
}

/** What a request meets. `lost`: it is carried out, and the connection breaks before the answer. */
export type Fault = 'lost' | 'down' | Refusal;
interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text of the body. */
  readonly message?: string;
}

/** A double of GitHub's REST API for issues, comments and pull requests of one repository: the real one cannot run here. It has the
 * states and refusals that docs.github.com/en/rest documents. Lists have pages with Link; reads have an ETag. */
export interface GithubDouble {
  readonly address: string;
  repository: string;
  readonly token: string;
  readonly issues: Issue[];
  /** `POST /issues`, in order, also those that met a fault. */
  readonly asked: string[];
  /** Faults by the beginning of a request, `POST /issues`; each is met once, in order. */
  readonly faults: { readonly of: string; readonly fault: Fault }[];
  /** `disabled`: no issues. `moved`: the repository has another name. `readOnly`: labels of new issues are dropped. */
  mode: 'normal' | 'disabled' | 'moved' | 'readOnly';
  /** Lists that do not show a new issue yet. */
  lag: number;
  /** Requests from now on that find no server. */
  outage: number;
  /** Requests that are left, and the time in seconds at which there are more. Null: no limit. */
  limit: { left: number; readonly reset: number } | null;
  /** By login. Others may read. Null: there is no such user. */
  readonly people: Record<string, Person | null>;
  /** Pushes that `GET /activity` lists, newest first. Null: it does not say. */
  pushes: { readonly ref: string; readonly timestamp: string }[] | null;
  /** Whose key installation tokens are asked with. Null: there is no app. */
  app: App | null;
  /** Installation tokens, with the time of their end in ms. */
  readonly tokens: Tokens;
  /** Clock in ms. */
  now: () => number;
  /** Number of the next comment. */
  nextComment: number;
  stop(): Promise<void>;
}

/** @param port 0: a free one */
export async function startGithub(token = 'ghp_double', port = 0): Promise<GithubDouble> {
  const server = createServer((asked, answer) => void handle(double, asked, answer));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const double: GithubDouble = {
    ...{ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, repository: 'skiff/boat', token },
    ...{ issues: [], asked: [], faults: [], mode: 'normal', lag: 0, outage: 0, limit: null, people: {}, pushes: null },
    ...{ app: null, tokens: new Map(), now: Date.now, nextComment: 101 },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return double;
}

/** New place of a repository that was renamed. */
const MOVED = '/repositories/7';

async function handle(double: GithubDouble, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const url = new URL(asked.url!, double.address);
  const sent = await text(asked);
  if (url.pathname.startsWith('/control/')) return control(double, asked.method!, url, sent, answer);
  const isMoved = url.pathname.startsWith(MOVED);
  const path = url.pathname.replace(`/repos/${double.repository}`, '').replace(MOVED, '');
  const request = `${asked.method} ${path}`;
  double.asked.push(request);
  if (double.outage > 0) {
    double.outage -= 1;
    return void asked.socket.destroy();
  }
  const at = double.faults.findIndex(({ of }) => request.startsWith(of));
  const fault = at < 0 ? null : double.faults.splice(at, 1)[0]!.fault;
  if (fault === 'down') return void asked.socket.destroy();
  if (typeof fault === 'object' && fault !== null)
    return send(double, answer, [fault.status, { message: fault.message ?? 'no' }, fault.headers]);
  if (double.limit !== null && double.now() >= double.limit.reset * 1000) double.limit = null;
  if (double.limit !== null && double.limit.left <= 0)
    return send(double, answer, [403, { message: 'API rate limit exceeded' }]);
  const bearer = asked.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const found = answerTo(double, { method: asked.method!, url, path, isMoved, bearer }, sent);
  if (fault === 'lost') return void asked.socket.destroy();
  send(double, answer, found, asked.headers['if-none-match']);
}

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly path: string;
  readonly isMoved: boolean;
  readonly bearer: string;
}

function answerTo(double: GithubDouble, { method, url, path, isMoved, bearer }: Asked, sent: string): Answered {
  const body = sent === '' ? {} : (JSON.parse(sent) as object);
  if (path.startsWith('/app/')) return route(double, method, url, path, body, bearer) ?? NOT_FOUND;
  if (bearer !== double.token && !isKnownToken(double, bearer)) return [401, { message: 'Bad credentials' }];
  if (double.mode === 'moved' && !isMoved) return [301, { message: 'Moved' }, { location: MOVED + path + url.search }];
  if (path === '') return [200, { full_name: double.repository }];
  if (path.startsWith('/issues') && double.mode === 'disabled')
    return [410, { message: 'Issues are disabled for this repo' }];
  const routed = route(double, method, url, path, body, bearer);
  if (routed !== null) return routed;
  if (!isMoved && !url.pathname.startsWith(`/repos/${double.repository}`)) return NOT_FOUND;
  return act(double, method, path, url.searchParams, body, bearer);
}

/** A read has an ETag of its body; one that is known costs nothing of a limit. */
function send({ limit }: GithubDouble, answer: ServerResponse, [status, body, more]: Answered, known?: string): void {
  const said = status === 204 ? '' : JSON.stringify(body);
  const etag = `W/"${createHash('sha256').update(said).digest('hex')}"`;
  const isKnown = status === 200 && known === etag;
  if (limit !== null && !isKnown) limit.left -= 1;
  const limits = limit && { 'x-ratelimit-remaining': Math.max(0, limit.left), 'x-ratelimit-reset': limit.reset };
  answer.writeHead(isKnown ? 304 : status, {
    'content-type': 'application/json',
    ...(status === 200 && { etag }),
    ...limits,
    ...more,
  });
  answer.end(isKnown ? '' : said);
}

type Sent = {
  readonly title?: string;
  readonly body?: string;
  readonly labels?: string[];
  readonly state?: 'open' | 'closed';
};
export type Answered = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>> | undefined];

function act(
  double: GithubDouble,
  method: string,
  path: string,
  query: URLSearchParams,
  sent: Sent,
  bearer: string,
): Answered {
  const [, part0, no, part, name] = path.split('/');
  if (part0 !== 'issues') return NOT_FOUND;
  if (no === undefined)
    return method === 'POST' ? create(double, sent, loginOf(double, bearer)) : [200, list(double, query)];
  const issue = double.issues.find(({ number }) => number === Number(no));
  if (issue === undefined) return NOT_FOUND;
  if (issue.state === 'deleted') return [410, { message: 'This issue was deleted' }];
  switch (`${method} ${part ?? ''}`) {
    case 'GET ':
      return [200, shown(issue)];
    case 'PATCH ':
      issue.state = sent.state!;
      return [200, shown(issue)];
    case 'POST labels':
      issue.labels = [...new Set([...issue.labels, ...sent.labels!])];
      return [200, issue.labels.map((label) => ({ name: label }))];
    case 'DELETE labels': {
      const label = decodeURIComponent(name!);
      if (!issue.labels.includes(label)) return [404, { message: 'Label does not exist' }];
      issue.labels = issue.labels.filter((one) => one !== label);
      return [200, []];
    }
    default:
      return NOT_FOUND;
  }
}

function create(double: GithubDouble, { title = '', body = '', labels = [] }: Sent, author: string): Answered {
  if (title.trim() === '' || labels.some((label) => label.length > 50))
    return [422, { message: 'Validation Failed', errors: [{ resource: 'Issue', code: 'invalid' }] }];
  const kept = double.mode === 'readOnly' ? [] : labels;
  const issue: Issue = {
    ...{ number: double.issues.length + 1, title, body, labels: [...kept], state: 'open' },
    ...{ author, comments: [], hiddenFor: double.lag },
  };
  double.issues.push(issue);
  return [201, shown(issue)];
}

/** Lists pull requests among the issues, as GitHub does. */
function list({ issues }: GithubDouble, query: URLSearchParams): readonly object[] {
  const [label, state] = [query.get('labels')!, query.get('state')!];
  const found = issues.filter(
    (issue) => issue.labels.includes(label) && issue.state === state && (state !== 'open' || issue.hiddenFor-- <= 0),
  );
  const pull = { number: 9999, state: 'open', labels: [{ name: label }], body: 'a pull request', pull_request: {} };
  const from = (Number(query.get('page') ?? 1) - 1) * Number(query.get('per_page'));
  return [pull, ...found.reverse().map(shown)].slice(from, from + Number(query.get('per_page')));
}

const shown = ({ number, title, body, labels, state, pull, author = 'ghost' }: Issue): object => ({
  ...(pull && { pull_request: {} }),
  ...{ number, title, body, state, user: { login: author } },
  labels: labels.map((name) => ({ name })),
});
