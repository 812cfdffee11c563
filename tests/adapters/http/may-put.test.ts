import type { IncomingMessage, ServerResponse } from 'node:http';
import { mayPut } from '../../../src/adapters/http/may-put.js';
import { AS_KIM, aPeer, problemOf, startServer, type OwnServer } from './a-server.js';

let server: OwnServer;
/** What arrived of each question; `ended` when its connection is gone. */
interface Question {
  readonly request: IncomingMessage;
  readonly ended: Promise<unknown>;
}
const questions: Question[] = [];
let expects: (request: IncomingMessage, answer: ServerResponse) => void;
beforeEach(async () => {
  questions.length = 0;
  server = await startServer();
  server.server.on('checkContinue', (request: IncomingMessage, answer: ServerResponse) => {
    questions.push({ request, ended: new Promise((closed) => request.socket.once('close', closed)) });
    expects(request, answer);
  });
});
afterEach(() => server.stop());

const url = (): string => `${server.address}/org/example/a.jar`;
const answering = (status: number) => (_: IncomingMessage, answer: ServerResponse) =>
  void answer.writeHead(status).end();

test('given a question before an upload, then it has the credential and the length, and sends no byte', async () => {
  expects = (_, answer) => answer.writeContinue();
  await mayPut(aPeer(), url(), 1234);
  const [{ request, ended }] = questions as [Question];
  expect(request).toMatchObject({
    method: 'PUT',
    url: '/org/example/a.jar',
    headers: { expect: '100-continue', 'content-length': '1234', authorization: AS_KIM },
  });
  await ended;
  expect(request.readableLength).toBe(0);
  expect(request.complete).toBe(false);
});

test('given an empty file, then the question announces one byte', async () => {
  expects = (_, answer) => answer.writeContinue();
  await mayPut(aPeer(), url(), 0);
  expect(questions[0]!.request.headers['content-length']).toBe('1');
});

test.each([
  [401, 'TARGET_DENIED'],
  [403, 'TARGET_DENIED'],
  [405, 'TARGET_REFUSED'],
  [413, 'TARGET_TOO_LARGE'],
  [501, 'TARGET_REFUSED'],
  [503, 'TARGET_BROKEN'],
])('given the status %i, then the upload is refused: %s', async (status, code) => {
  expects = answering(status);
  const problem = await problemOf(mayPut(aPeer(), `${url()}?token=x`, 10));
  expect(problem).toMatchObject({ code, message: expect.stringContaining(url()) });
  expect(JSON.stringify(problem)).not.toContain('token=x');
});

test.each([405, 501])('given the status %i, then the target accepts no PUT, which is not retried', async (status) => {
  expects = answering(status);
  expect(await problemOf(mayPut(aPeer(), url(), 10))).toMatchObject({
    class: 'config',
    evidence: [`HTTP ${status}: it takes no files by PUT`],
  });
});

test.each([200, 201, 404, 409])('given the status %i, then the upload itself decides', async (status) => {
  expects = answering(status);
  await expect(mayPut(aPeer(), url(), 10)).resolves.toBeUndefined();
});

test.each([
  ['never answers', () => undefined],
  ['closes the connection', (request: IncomingMessage) => void request.socket.destroy()],
  ['does not speak HTTP', (request: IncomingMessage) => void request.socket.end('no\r\n')],
])('given a server that %s, then the upload itself decides', async (_, act) => {
  expects = act;
  await expect(mayPut(aPeer({ patienceMs: 200 }), url(), 10)).resolves.toBeUndefined();
});

test('given a refusal, then the connection ends at once, and no file follows', async () => {
  expects = answering(403);
  await problemOf(mayPut(aPeer(), url(), 10));
  await questions[0]!.ended;
  expect(server.asked).toEqual([]);
});
