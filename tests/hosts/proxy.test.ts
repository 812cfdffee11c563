/** @slow */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { ROOT } from '../support/pages.js';

const CONTROL = '127.0.0.2';
let server: Server;
let proxy: ReturnType<typeof spawn>;
let port: number;
let said: AsyncIterator<string>;

/** A server that answers with what it gets, and the proxy before it. */
beforeAll(async () => {
  server = createServer({ allowHalfOpen: true }, (one) => one.on('error', () => undefined).pipe(one)).listen(
    0,
    CONTROL,
  );
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  const argv = [join(ROOT, 'tools/hosts/proxy.mjs'), '127.0.0.1', CONTROL, String(port)];
  proxy = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  said = createInterface(proxy.stderr!)[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe(`listens at 127.0.0.1:${port}`);
});
afterAll(async () => {
  const closed = once(proxy, 'close');
  if (proxy.kill()) await closed;
  server.close();
});

async function opened(): Promise<Socket> {
  const one = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(one, 'connect');
  return one;
}

async function toggled(): Promise<string> {
  proxy.kill('SIGUSR2');
  return (await said.next()).value as string;
}

/** Milliseconds until an answer to some bytes is there. */
async function roundTrip(one: Socket): Promise<number> {
  const begun = performance.now();
  one.write('ahoy');
  await once(one, 'data');
  return performance.now() - begun;
}

test('given bytes before, during and after the fault, then they come in their order, and an end is handed on', async () => {
  const one = await opened();
  const all = buffer(one);
  const parts = [0, 1, 2].map((at) => Buffer.alloc(300_000, at));
  one.write(parts[0]!);
  expect(await toggled()).toBe('slow from here on');
  one.write(parts[1]!);
  expect(await toggled()).toMatch(/^as before from here on; \d+ connections were cut$/);
  one.end(parts[2]!);
  expect(Buffer.concat(parts).equals(await all)).toBe(true);
});

test('given the fault, then a round trip takes at least 300 ms, the oldest connection is cut, and a new one is served', async () => {
  const oldest = await opened();
  oldest.on('error', () => undefined);
  await roundTrip(oldest);
  await toggled();
  expect(await roundTrip(oldest)).toBeGreaterThanOrEqual(300);
  await new Promise((cut) => oldest.once('close', cut));
  await toggled();
  const next = await opened();
  await roundTrip(next);
  next.destroy();
});
