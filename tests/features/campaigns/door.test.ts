import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { openDoor, type DoorPorts } from '../../../src/features/campaigns/node/door/server.js';
import type { CommentInput } from '../../../src/features/campaigns/pure/comments/messages.js';
import { until } from '../../support/until.js';

const SECRET = 'canary-of-the-webhook';
const started: CommentInput[] = [];
const logged: object[] = [];
let door: Awaited<ReturnType<typeof openDoor>>;
let start: DoorPorts['start'] = async () => undefined;
const ports: DoorPorts = {
  ...{ repository: 'skiff/boat', secret: SECRET, log: (line) => logged.push(line) },
  start: async (input) => {
    await start(input);
    started.push(input);
  },
};
beforeAll(async () => {
  door = await openDoor(0, ports);
});
afterAll(() => door.close());
beforeEach(() => {
  started.length = 0;
  logged.length = 0;
  start = async () => undefined;
});

const DELIVERY = {
  action: 'created',
  comment: { id: 7, body: 'look:\r\n/test night' },
  issue: { number: 1, pull_request: {} },
  repository: { full_name: 'Skiff/boat' },
};
const signed = (body: string | Buffer, secret = SECRET, hash = 'sha256'): string =>
  `${hash}=${createHmac(hash, secret).update(body).digest('hex')}`;
const send = (
  body: string | Buffer,
  headers: Record<string, string> = { 'x-hub-signature-256': signed(body) },
  event = 'issue_comment',
): Promise<Response> =>
  fetch(`http://127.0.0.1:${door.port}/`, {
    method: 'POST',
    headers: { 'x-github-event': event, 'x-github-delivery': 'a-1', ...headers },
    body,
  });
const statusOf = (agent: Agent, sent: string, port = door.port): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-github-event': 'issue_comment', 'x-hub-signature-256': signed(sent) };
    const asked = request({ port, host: '127.0.0.1', method: 'POST', headers, agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode!));
    });
    asked.once('error', reject).end(sent);
  });
const delivery = (over: object = {}): string => JSON.stringify({ ...DELIVERY, ...over });
const body = delivery();

test('given a delivery whose signature is right, then its workflow is started once it is told', async () => {
  expect((await send(body)).status).toBe(202);
  expect(started).toEqual([{ repository: 'skiff/boat', comment: 7 }]);
  expect(logged).toEqual([{ delivery: 'a-1', status: 202, why: 'taken' }]);
});

test.each<[what: string, status: number, sent: () => Promise<Response>]>([
  ['no signature', 401, () => send(body, {})],
  ['a signature by SHA-1 alone', 401, () => send(body, { 'x-hub-signature': signed(body, SECRET, 'sha1') })],
  ['SHA-1 in the header of SHA-256', 401, () => send(body, { 'x-hub-signature-256': signed(body, SECRET, 'sha1') })],
  ['the signature of another secret', 403, () => send(body, { 'x-hub-signature-256': signed(body, 'another') })],
  ['the signature of another body', 403, () => send(body, { 'x-hub-signature-256': signed(`${body} `) })],
  ['a signature in capitals', 401, () => send(body, { 'x-hub-signature-256': signed(body).toUpperCase() })],
  ['a signature of the empty secret', 403, () => send(body, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })],
  ['another repository', 403, () => send(delivery({ repository: { full_name: 'skiff/other' } }))],
  ['no repository', 403, () => send(delivery({ repository: null }))],
  ['a comment that was edited', 200, () => send(delivery({ action: 'edited' }))],
  ['a comment that was deleted', 200, () => send(delivery({ action: 'deleted' }))],
  ['a comment on an issue', 200, () => send(delivery({ issue: { number: 1 } }))],
  ['a comment without a line that begins with "/"', 200, () => send(delivery({ comment: { id: 7, body: 'a /test' } }))],
  ['a comment without a number', 400, () => send(delivery({ comment: { id: '7/x', body: '/test' } }))],
  ['a number beyond what JavaScript holds', 400, () => send(delivery({ comment: { id: 2 ** 60, body: '/test' } }))],
  ['another event', 200, () => send(body, undefined, 'push')],
  ['what is no JSON', 415, () => send('payload=%7B%7D')],
  ['a list', 403, () => send('[]')],
  ['bytes that are no UTF-8', 415, () => send(Buffer.from([0xff, 0xfe, 0x00]))],
  [
    'a body of 30 MB',
    413,
    () => send(Buffer.alloc(30_000_000, 'x'), { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }),
  ],
  [
    'a body of 30 MB in pieces, without its length',
    413,
    () => {
      const pieces = new ReadableStream({
        start: (to) => {
          for (let no = 0; no < 30; no += 1) to.enqueue(new Uint8Array(1_000_000));
          to.close();
        },
      });
      const headers = { 'x-github-event': 'issue_comment', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
      return fetch(`http://127.0.0.1:${door.port}/`, {
        method: 'POST',
        headers,
        body: pieces,
        duplex: 'half',
      } as object);
    },
  ],
  ['a GET', 405, () => fetch(`http://127.0.0.1:${door.port}/`)],
])('given %s, then the door answers %i and starts nothing', async (_, status, sent) => {
  // A server that stops reading a long body may break the connection before its answer is read.
  const answer = await sent().catch(() => null);
  if (answer === null) expect(status).toBe(413);
  else expect(answer.status).toBe(status);
  expect(started).toEqual([]);
  expect(JSON.stringify(logged)).not.toContain(SECRET);
});

test('given a server of workflows that is down, then the door answers 503, and GitHub shows a failed delivery', async () => {
  start = () => Promise.reject(new Error('14 UNAVAILABLE'));
  expect((await send(body)).status).toBe(503);
});

test('given 1,000 deliveries at once, then each is answered, and each starts one workflow', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 });
  const all = Array.from({ length: 1000 }, (_, id) =>
    statusOf(agent, delivery({ comment: { id: id + 1, body: '/test night' } })),
  );
  expect(new Set(await Promise.all(all))).toEqual(new Set([202]));
  agent.destroy();
  expect(new Set(started.map(({ comment }) => comment)).size).toBe(1000);
});

test('given bodies that do not come, then their connections are ended, and others are answered meanwhile', async () => {
  const quick = await openDoor(0, ports, { idleMs: 300, looksMs: 100 });
  const slow = Array.from({ length: 100 }, () => connect(quick.port, '127.0.0.1'));
  const head = `POST / HTTP/1.1\r\nhost: x\r\nx-hub-signature-256: sha256=${'0'.repeat(64)}\r\ncontent-length: 1000\r\n\r\n{`;
  const ended = slow.map((socket) => once(socket.on('error', () => undefined).resume(), 'close'));
  slow.forEach((socket) => socket.write(head));
  expect((await send(body)).status).toBe(202);
  await Promise.all(ended);
  await quick.close();
});

const HEAD = `POST / HTTP/1.1\r\nhost: x\r\nx-hub-signature-256: sha256=${'0'.repeat(64)}\r\n`;
const LEFT = { delivery: '', status: 400, why: 'the connection ended before the delivery did' };

test('given clients that leave in the middle of a long body, then the log says so, and the door goes on', async () => {
  const lines: object[] = [];
  const left = await openDoor(0, { ...ports, log: (line) => lines.push(line) });
  const piece = `fffff\r\n${'x'.repeat(0xfffff)}\r\n`;
  const sockets = Array.from({ length: 20 }, () => connect(left.port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(
    sockets.map(async (socket, no) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n`);
      await once(socket, 'data');
      await new Promise((sent) => socket.write(piece.slice(0, no % 2 === 0 ? 1000 : undefined), sent));
      socket.resetAndDestroy();
    }),
  );
  await until(() => lines.length === 20);
  expect(lines).toEqual(Array(20).fill(LEFT));
  expect(await statusOf(new Agent(), body, left.port)).toBe(202);
  await left.close();
});

test('given bodies that no signature fits and that do not end, then the oldest give way, and signed ones are read', async () => {
  const lines: object[] = [];
  const told = { ...ports, log: (line: object) => lines.push(line) };
  const patient = await openDoor(0, told, { idleMs: 600_000, wholeMs: 600_000 });
  const part = Buffer.concat([Buffer.from(`${HEAD}content-length: 1048576\r\n\r\n`), Buffer.alloc(1_048_000, 'x')]);
  const sockets = Array.from({ length: 66 }, () => connect(patient.port, '127.0.0.1').on('error', () => undefined));
  sockets.forEach((socket) => socket.resume().write(part));
  const refused = {
    ...{ delivery: '', status: 503 },
    why: 'the door reads at most 67108864 bytes at once: deliver it again',
  };
  const taken = { delivery: '', status: 202, why: 'taken' };
  // 64 of them are 36,864 bytes below the limit.
  await until(() => lines.length === 2);
  const deliver = (id: number, more = ''): Promise<number> =>
    statusOf(new Agent(), delivery({ comment: { id, body: `/test night\n${more}` } }), patient.port);
  expect(await deliver(8)).toBe(202);
  expect(await deliver(9, 'x'.repeat(60_000))).toBe(202);
  expect(lines).toEqual([refused, refused, taken, refused, taken]);
  await until(() => sockets.filter(({ closed }) => closed).length === 3);
  sockets.forEach((socket) => socket.destroy());
  await patient.close();
});
