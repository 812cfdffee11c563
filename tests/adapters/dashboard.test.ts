import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createDashboard, type Dashboard } from '../../src/adapters/clusters/dashboard.js';
import { newHome } from '../support/run-body.js';

const { signal } = new AbortController();
let server: Server;
let file: string;

beforeAll(async () => {
  file = join(await newHome(), 'package.zip');
  writeFileSync(file, Buffer.alloc(1_000_000, 'a'));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function dashboard(
  limits: Parameters<typeof createDashboard>[2],
  answer: (asked: IncomingMessage, to: ServerResponse) => void,
): Promise<Dashboard> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return createDashboard(() => Promise.resolve(connect(port, '127.0.0.1')), undefined, limits);
}

async function tookSlowly(asked: IncomingMessage, to: ServerResponse): Promise<void> {
  let size = 0;
  for await (const piece of asked) {
    size += (piece as Buffer).length;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  to.end(`${asked.method} ${size}`);
}

test('given a head that takes a file for longer than one answer may take, then the upload ends well', async () => {
  const { upload } = await dashboard({ answerMs: 50, silenceMs: 60_000 }, (asked, to) => void tookSlowly(asked, to));
  expect(await upload('/p', file, signal)).toEqual({ status: 200, text: 'PUT 1000000' });
});

test('given a head that takes nothing, then the upload ends with an error', async () => {
  const { upload } = await dashboard({ answerMs: 60_000, silenceMs: 100 }, () => undefined);
  await expect(upload('/p', file, signal)).rejects.toThrow('it took nothing for 0.1 s');
});

test('given a cancelled step, then its upload ends', async () => {
  const stop = new AbortController();
  const { upload } = await dashboard({ answerMs: 60_000, silenceMs: 60_000 }, () => stop.abort());
  await expect(upload('/p', file, stop.signal)).rejects.toThrow('abort');
});

test('given a head that does not answer, then a question ends with an error', async () => {
  const { ask } = await dashboard({ answerMs: 50, silenceMs: 60_000 }, () => undefined);
  await expect(ask('POST', '/p', { a: 1 })).rejects.toThrow('abort');
});
