import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** TEMPORARY double. */
export async function aGithub(repository = 'skiff/boat', token = 'ghp_canary_token') {
  const comments: {
    id: number;
    body: string;
    created_at: string;
    updated_at: string;
    user: { login: string };
    issue: number;
  }[] = [];
  const asked: string[] = [];
  const edits: string[] = [];
  /** Beginnings of requests that are refused as by a token without rights. */
  const refused: string[] = [];
  const faults: { of: string; fault: 'lost' }[] = [];
  const pull = {
    ...{ head: '', author: 'ann', body: '', state: 'open', from: repository as string | null, branch: 'topic' },
    pushed: '2020-01-01T00:00:00Z',
  };
  /** Time of the last push to the branch of the head. Null: GitHub does not say. */
  const pushes: { last: string | null } = { last: null };
  const status = { next: [] as { status: number; headers?: Record<string, string> }[] };
  let next = 100;
  const shown = (one: (typeof comments)[number]) => ({
    ...one,
    issue_url: `http://x/repos/${repository}/issues/${one.issue}`,
  });
  const add = (body: string, login: string, issue = 1) => {
    const now = new Date().toISOString().replace(/\.\d+Z/, 'Z');
    const one = { id: next++, body, created_at: now, updated_at: now, user: { login }, issue };
    comments.push(one);
    return one;
  };
  const server = createServer((request, response) => {
    void (async () => {
      const sent = await text(request);
      const url = new URL(request.url!, 'http://x');
      const path = url.pathname.replace(`/repos/${repository}`, '');
      const line = `${request.method} ${path}`;
      asked.push(line);
      const say = (code: number, body: unknown, headers: Record<string, string> = {}) => {
        const at = faults.findIndex(({ of }) => line.startsWith(of));
        if (at >= 0) {
          faults.splice(at, 1);
          return void request.socket.destroy();
        }
        response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
      };
      if (refused.some((one) => line.startsWith(one))) return say(403, { message: 'no' });
      const answered = status.next.shift();
      if (answered) return say(answered.status, { message: 'no' }, answered.headers);
      if (request.headers.authorization !== `Bearer ${token}`) return say(401, {});
      const id = Number(/\/issues\/comments\/(\d+)$/.exec(path)?.[1]);
      const one = comments.find((each) => each.id === id);
      if (Number.isInteger(id) && one === undefined) return say(404, {});
      if (request.method === 'PATCH') {
        one!.body = (JSON.parse(sent) as { body: string }).body;
        edits.push(one!.body);
        return say(200, shown(one!));
      }
      if (one) return say(200, shown(one));
      if (line === 'POST /issues/1/comments')
        return say(201, shown(add((JSON.parse(sent) as { body: string }).body, 'robot')));
      if (path === '/issues/1/comments' || path === '/issues/comments') {
        const { since = '', page = '1', per_page: per = '30', sort } = Object.fromEntries(url.searchParams);
        const found = comments.filter(({ updated_at }) => updated_at >= since);
        if (sort === 'updated') found.sort((x, y) => (x.updated_at < y.updated_at ? -1 : 1));
        const [from, to] = [(Number(page) - 1) * Number(per), Number(page) * Number(per)];
        const etag = `W/"${createHash('sha256').update(JSON.stringify(found)).digest('hex')}"`;
        if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end();
        const link = found.length > to ? { link: `<${url.href}>; rel="prev", <${url.href}>; rel="next"` } : {};
        return say(200, found.slice(from, to).map(shown), { etag, ...link });
      }
      if (path === '/pulls/1')
        return say(200, {
          ...{ number: 1, state: pull.state, body: pull.body, user: { login: pull.author } },
          head: {
            ...{ sha: pull.head, ref: pull.branch },
            repo: pull.from === null ? null : { full_name: pull.from, pushed_at: pull.pushed },
          },
        });
      const user = /\/collaborators\/(\w+)\/permission/.exec(path)?.[1];
      if (user)
        return say(200, {
          permission: user === 'ann' ? 'write' : 'read',
          role_name: user === 'ann' ? 'write' : 'read',
        });
      if (url.pathname.endsWith('/activity')) return say(200, pushes.last === null ? [] : [{ timestamp: pushes.last }]);
      say(404, {});
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ repository, token, comments, asked, edits, faults, refused, pull, pushes, status, add },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
