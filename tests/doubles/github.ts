import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  labels: string[];
  state: 'open' | 'closed' | 'deleted';
  readonly comments: { readonly body: string; readonly at: string }[];
  /** Lists show it after this many lists of open issues. */
  hiddenFor: number;
  /** It is a pull request. */
  readonly pull?: true;
}

/** What a request meets. `lost`: it is carried out, and the connection breaks before the answer. */
export type Fault = 'lost' | 'down' | Refusal;
interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text of the body. */
  readonly message?: string;
}

/** A double of GitHub's REST API for issues of one repository: the real one cannot run here. It has the states and refusals that
 * docs.github.com/en/rest/issues documents. */
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
  stop(): Promise<void>;
}

export async function startGithub(token = 'ghp_double'): Promise<GithubDouble> {
  const server = createServer((asked, answer) => void handle(double, asked, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const double: GithubDouble = {
    ...{ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, repository: 'skiff/boat', token },
    ...{ issues: [], asked: [], faults: [], mode: 'normal', lag: 0, outage: 0 },
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
    return void answer
      .writeHead(fault.status, { ...fault.headers })
      .end(JSON.stringify({ message: fault.message ?? 'no' }));
  if (asked.headers.authorization !== `Bearer ${double.token}`)
    return send(answer, 401, { message: 'Bad credentials' });
  const isMoved = url.pathname.startsWith(MOVED);
  if (double.mode === 'moved' && !isMoved)
    return void answer.writeHead(301, { location: MOVED + path + url.search }).end('{"message":"Moved"}');
  if (!isMoved && !url.pathname.startsWith(`/repos/${double.repository}`))
    return send(answer, 404, { message: 'Not Found' });
  if (path === '') return send(answer, 200, { full_name: double.repository });
  if (double.mode === 'disabled') return send(answer, 410, { message: 'Issues are disabled for this repo' });
  const [status, body] = act(double, asked.method!, path, url.searchParams, sent === '' ? {} : JSON.parse(sent));
  if (fault === 'lost') return void asked.socket.destroy();
  send(answer, status, body);
}

function send(answer: ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? '' : JSON.stringify(body));
}

type Sent = {
  readonly title?: string;
  readonly body?: string;
  readonly labels?: string[];
  readonly state?: 'open' | 'closed';
};
type Answered = readonly [status: number, body: unknown];
const NOT_FOUND: Answered = [404, { message: 'Not Found' }];

function act(double: GithubDouble, method: string, path: string, query: URLSearchParams, sent: Sent): Answered {
  const [, , no, part, name] = path.split('/');
  if (no === undefined) return method === 'POST' ? create(double, sent) : [200, list(double, query)];
  const issue = double.issues.find(({ number }) => number === Number(no));
  if (issue === undefined) return NOT_FOUND;
  if (issue.state === 'deleted') return [410, { message: 'This issue was deleted' }];
  switch (`${method} ${part ?? ''}`) {
    case 'GET ':
      return [200, shown(issue)];
    case 'PATCH ':
      issue.state = sent.state!;
      return [200, shown(issue)];
    case 'GET comments':
      return [200, issue.comments.filter(({ at }) => at >= (query.get('since') ?? '')).map(({ body }) => ({ body }))];
    case 'POST comments':
      issue.comments.push({ body: sent.body!, at: new Date().toISOString() });
      return [201, { body: sent.body }];
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

function create(double: GithubDouble, { title = '', body = '', labels = [] }: Sent): Answered {
  if (title.trim() === '' || labels.some((label) => label.length > 50))
    return [422, { message: 'Validation Failed', errors: [{ resource: 'Issue', code: 'invalid' }] }];
  const kept = double.mode === 'readOnly' ? [] : labels;
  const issue: Issue = {
    ...{ number: double.issues.length + 1, title, body, labels: [...kept], state: 'open' },
    ...{ comments: [], hiddenFor: double.lag },
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

const shown = ({ number, title, body, labels, state, pull }: Issue): object => ({
  ...(pull && { pull_request: {} }),
  ...{ number, title, body, state },
  labels: labels.map((name) => ({ name })),
});
