import { createServer } from 'node:net';

/** Below the ports that the system gives to outgoing connections: one of those may be taken between our look and a server's start.
 * Each of the processes that run suites side by side has ports of its own. */
const [FIRST, SHARE, SHARES] = [12_000, 2_500, 8];
const mine = FIRST + (Number(process.env['JEST_WORKER_ID'] ?? 0) % SHARES) * SHARE;
const given = new Set<number>();

/** A port of this machine that nobody listens on, and that was not given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = mine + Math.floor(Math.random() * SHARE);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
