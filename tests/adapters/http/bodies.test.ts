/** @slow */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { digestOfBody, done, request, textOf, type Peer } from '../../../src/adapters/http/request.js';
import { until } from '../../support/until.js';
import { aPeer, problemOf, startServer, type OwnServer } from './a-server.js';

let server: OwnServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

/** Half of a body whose head promises more, then the end of the connection. */
const cut = (_: unknown, answer: ServerResponse): void => {
  answer.writeHead(200, { 'content-length': '1000' });
  answer.write('half', () => answer.socket!.destroy());
};
/** The same without a length. */
const cutChunks = (_: unknown, answer: ServerResponse): void => {
  answer.writeHead(200);
  answer.write('half', () => answer.socket!.destroy());
};
const BROKEN = { code: 'TARGET_UNREACHABLE', class: 'infra', service: 'target:shelf' };

test('given an answer, then its text is read', async () => {
  expect(await textOf(aPeer(), await request(aPeer(), server.address))).toBe('fine');
});

test('given an answer, empty or not, then its digest is computed', async () => {
  const bytes = Buffer.alloc(3 << 20, 'x');
  server.answers = ({ url }, answer) => void (url === '/empty' ? answer.writeHead(204).end() : answer.end(bytes));
  const digest = (of: Uint8Array): string => `sha256:${createHash('sha256').update(of).digest('hex')}`;
  expect(await digestOfBody(aPeer(), await request(aPeer(), server.address))).toBe(digest(bytes));
  const empty = await request(aPeer(), `${server.address}/empty`);
  expect(await digestOfBody(aPeer(), empty)).toBe(digest(Buffer.alloc(0)));
});

describe.each([
  ['a body that is cut', cut],
  ['a body without a length that is cut', cutChunks],
])('%s', (_, answers) => {
  beforeEach(() => {
    server.answers = answers;
  });

  test('when its text is read, then the error names the address', async () => {
    const response = await request(aPeer(), `${server.address}/a?b`);
    const problem = await problemOf(textOf(aPeer(), response));
    expect(problem).toMatchObject({ ...BROKEN, message: expect.stringContaining(`at ${server.address}/a: `) });
  });

  test('when its digest is computed, then it fails', async () => {
    const response = await request(aPeer(), server.address);
    expect(await problemOf(digestOfBody(aPeer(), response))).toMatchObject(BROKEN);
  });
});

test.each<[string, (peer: Peer, response: Response) => Promise<unknown>]>([
  ['text', textOf],
  ['digest', digestOfBody],
])('given our own abort while the %s is read, then it is no failure of the target', async (_, read) => {
  const abort = new AbortController();
  const peer = aPeer({ signal: abort.signal });
  server.answers = (_asked, answer) => void answer.writeHead(200, { 'content-length': '1000' }).write('half');
  const reading = read(peer, await request(peer, server.address));
  const why = new Error('the run was cancelled');
  abort.abort(why);
  await expect(reading).rejects.toBe(why);
});

test('given a body that is not read, then its connection ends', async () => {
  server.answers = (_, answer) =>
    void answer.writeHead(200, { 'content-length': String(1 << 30) }).write('x'.repeat(1 << 20));
  await done(await request(aPeer(), server.address));
  await until(async () => (await server.connections()) === 0);
});

test('given an answer without a body, then ending it does nothing', async () => {
  server.answers = (_, answer) => void answer.writeHead(204).end();
  await expect(done(await request(aPeer(), server.address))).resolves.toBeUndefined();
});
