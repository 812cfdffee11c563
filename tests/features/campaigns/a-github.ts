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
  const faults: { of: string; fault: 'lost' }[] = [];
  const pull = { head: '', author: 'ann' };
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
      const say = (status: number, body: unknown) => {
        const at = faults.findIndex(({ of }) => line.startsWith(of));
        if (at >= 0) {
          faults.splice(at, 1);
          return void request.socket.destroy();
        }
        response.writeHead(status, { 'content-type': 'application/json', etag: '"e"' }).end(JSON.stringify(body));
      };
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
        const since = url.searchParams.get('since')!;
        return say(200, comments.filter(({ updated_at }) => updated_at >= since).map(shown));
      }
      if (path === '/pulls/1')
        return say(200, {
          ...{ number: 1, state: 'open', body: '', user: { login: pull.author } },
          head: { sha: pull.head, ref: 'topic', repo: { full_name: repository, pushed_at: '2020-01-01T00:00:00Z' } },
        });
      const user = /\/collaborators\/(\w+)\/permission/.exec(path)?.[1];
      if (user)
        return say(200, {
          permission: user === 'ann' ? 'write' : 'read',
          role_name: user === 'ann' ? 'write' : 'read',
        });
      say(404, {});
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ repository, token, comments, asked, edits, faults, pull, add },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
