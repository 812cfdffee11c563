import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Git's own http server in front of bare repositories; everybody needs this user and password. */
export async function startGitServer(
  root: string,
  user: string,
  password: string,
): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const good = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const server = createServer((asked, answer) => {
    if (asked.headers.authorization === good) return serve(asked, answer, root, user);
    asked.resume();
    answer.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** CGI, as RFC 3875 has it. */
function serve(asked: IncomingMessage, answer: ServerResponse, root: string, user: string): void {
  const url = new URL(asked.url ?? '/', 'http://127.0.0.1');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...{ PATH: process.env['PATH'], GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', REMOTE_USER: user },
      ...{ PATH_INFO: url.pathname, QUERY_STRING: url.search.slice(1), REQUEST_METHOD: asked.method },
      ...{
        CONTENT_TYPE: asked.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: asked.headers['content-encoding'] ?? '',
      },
      GIT_PROTOCOL: String(asked.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  asked.pipe(child.stdin);
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stdout.on('end', () => {
    const all = Buffer.concat(pieces);
    const cut = all.indexOf('\r\n\r\n');
    const headers = all
      .subarray(0, cut)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    answer.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    answer.end(all.subarray(cut + 4));
  });
}
