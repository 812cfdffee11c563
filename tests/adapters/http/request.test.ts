import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { basic, createReader, request, send, shown, shownAnywhere } from '../../../src/adapters/http/request.js';
import { AS_KIM, aPeer, problemOf, startServer, type OwnServer } from './a-server.js';

let server: OwnServer;
let elsewhere: OwnServer;
beforeEach(async () => {
  [server, elsewhere] = await Promise.all([startServer(), startServer()]);
});
afterEach(() => Promise.all([server.stop(), elsewhere.stop()]));

describe('a request', () => {
  test("given a peer, then it is a GET with the peer's credential", async () => {
    expect(await (await request(aPeer(), `${server.address}/a?b=c`)).text()).toBe('fine');
    expect(server.asked).toMatchObject([{ method: 'GET', url: '/a?b=c', headers: { authorization: AS_KIM } }]);
  });

  test('given no password, then it has no credential; a header of its own wins', async () => {
    await request(aPeer({ password: null }), server.address);
    await request(aPeer(), server.address, { headers: { authorization: 'Bearer token' } });
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer token']);
  });

  test('given only a password, then its user name is empty', async () => {
    await request(aPeer({ username: null }), server.address);
    expect(server.asked[0]!.headers.authorization).toBe(`Basic ${Buffer.from(':secret-of-kim').toString('base64')}`);
  });

  test('has the given method, headers and body', async () => {
    await request(aPeer(), server.address, { method: 'PUT', headers: { 'x-of': 'us' }, body: 'bytes' });
    expect(server.asked).toMatchObject([{ method: 'PUT', headers: { 'x-of': 'us' }, body: 'bytes' }]);
  });

  test('given a streamed body, then it is sent', async () => {
    async function* pieces(): AsyncIterable<Uint8Array> {
      for (const text of ['one ', 'two']) yield Buffer.from(text);
    }
    await request(aPeer(), server.address, { method: 'POST', body: pieces() as unknown as ReadableStream });
    expect(server.asked[0]!.body).toBe('one two');
  });
});

describe('a status', () => {
  test.each([
    [401, 'TARGET_DENIED', 'denied'],
    [403, 'TARGET_DENIED', 'denied'],
    [408, 'TARGET_BROKEN', 'infra'],
    [413, 'TARGET_TOO_LARGE', 'config'],
    [429, 'TARGET_BROKEN', 'infra'],
    [500, 'TARGET_BROKEN', 'infra'],
    [503, 'TARGET_BROKEN', 'infra'],
    [507, 'TARGET_BROKEN', 'infra'],
  ])(
    'given %i, then the problem is %s of class %s, with target and address, without the query',
    async (status, code, kind) => {
      server.answers = (_, answer) => void answer.writeHead(status, { 'retry-after': '3600' }).end('see you');
      const problem = await problemOf(request(aPeer(), `${server.address}/a?token=x`));
      expect(problem).toMatchObject({ code, class: kind, message: expect.stringContaining(`${server.address}/a`) });
      expect(problem).toMatchObject({ message: expect.stringMatching(/^shelf .*(HTTP \d+)/) });
      expect(JSON.stringify(problem)).not.toMatch(/token=x|secret-of-kim/);
    },
  );

  test.each([200, 201, 204, 304, 404, 409, 410, 422])('given %i, then the caller reads it', async (status) => {
    server.answers = (_, answer) => void answer.writeHead(status).end();
    expect((await request(aPeer(), server.address)).status).toBe(status);
  });

  test('given 503, then the request is not repeated', async () => {
    server.answers = (_, answer) => void answer.writeHead(503, { 'retry-after': '0' }).end();
    await problemOf(request(aPeer(), server.address));
    expect(server.asked).toHaveLength(1);
  });

  test('given a plain send, then it is returned without judging it', async () => {
    server.answers = (_, answer) => void answer.writeHead(401, { 'www-authenticate': 'Bearer realm="x"' }).end();
    const response = await send(aPeer(), server.address, {});
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="x"']);
  });
});

describe('a redirect', () => {
  beforeEach(() => {
    server.answers = ({ url }, answer) =>
      url === '/here' ? void answer.end('here') : void answer.writeHead(307, { location: '/here' }).end();
  });

  test.each(['GET', 'HEAD'])('given a %s, then it is followed', async (method) => {
    const response = await request(aPeer(), `${server.address}/there`, { method });
    expect([response.status, new URL(response.url).pathname]).toEqual([200, '/here']);
  });

  test.each(['PUT', 'POST', 'DELETE', 'PATCH'])('given a %s, then it is not followed', async (method) => {
    const response = await request(aPeer(), `${server.address}/there`, { method });
    expect(response.status).toBe(307);
    expect(server.asked.map(({ url }) => url)).toEqual(['/there']);
  });

  test('given another origin, then the credential is not sent there', async () => {
    server.answers = (_, answer) => void answer.writeHead(302, { location: `${elsewhere.address}/` }).end();
    await request(aPeer(), server.address);
    expect(server.asked[0]!.headers.authorization).toBe(AS_KIM);
    expect(elsewhere.asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('given a loop, then the target is unreachable', async () => {
    server.answers = (_, answer) => void answer.writeHead(302, { location: '/again' }).end();
    expect(await problemOf(request(aPeer(), server.address))).toMatchObject({ code: 'TARGET_UNREACHABLE' });
  });
});

describe('a connection', () => {
  const unreachable = (why: string | RegExp) => ({
    ...{ code: 'TARGET_UNREACHABLE', class: 'infra', service: 'target:shelf' },
    message: expect.stringMatching(why) as unknown,
  });

  test('when it is refused, then the problem names target, address and reason', async () => {
    const port = new URL(server.address).port;
    await server.stop();
    const problem = await problemOf(request(aPeer(), `http://kim:pw@127.0.0.1:${port}/a?b`));
    expect(problem).toMatchObject({ code: 'TARGET_UNREACHABLE' });
    server = await startServer();
    const refused = await problemOf(request(aPeer(), `http://127.0.0.1:${port}/a?b`));
    expect(refused).toMatchObject(unreachable(`^shelf does not answer at http://127.0.0.1:${port}/a: ECONNREFUSED$`));
  });

  test.each([
    [
      'before the answer',
      (answer: { socket: { resetAndDestroy(): void } | null }) => answer.socket!.resetAndDestroy(),
      'ECONNRESET',
    ],
    ['by a clean end', (answer: { socket: { end(): void } | null }) => answer.socket!.end(), 'UND_ERR_SOCKET'],
  ])('when it is reset %s, then the target is unreachable', async (_, hangUp, why) => {
    server.answers = (_asked, answer) => hangUp(answer as never);
    expect(await problemOf(request(aPeer(), server.address))).toMatchObject(unreachable(why));
  });

  test('given a server that does not speak HTTP, then the target is unreachable', async () => {
    const mail = createServer((socket) => socket.end('220 mail.example ESMTP\r\n')).listen(0, '127.0.0.1');
    await once(mail, 'listening');
    const { port } = mail.address() as AddressInfo;
    expect(await problemOf(request(aPeer(), `http://127.0.0.1:${port}/`))).toMatchObject(unreachable('HPE_'));
    mail.close();
  });

  test('when we abort it, then the abort is not a failure of the target', async () => {
    const abort = new AbortController();
    const why = new Error('the run was cancelled');
    server.answers = () => abort.abort(why);
    await expect(request(aPeer({ signal: abort.signal }), server.address)).rejects.toBe(why);
  });
});

describe('a reader', () => {
  const wantsKim = (status: number): void => {
    server.answers = ({ headers }, answer) =>
      void answer.writeHead(headers.authorization === AS_KIM ? 200 : status).end(headers.authorization);
  };

  test('given a public page, then it sends no credential', async () => {
    const reader = createReader(aPeer());
    await reader.read(server.address);
    await reader.read(server.address);
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    expect(reader.credential()).toBeNull();
  });

  test.each([401, 403])(
    'given a refusal with %i, then it retries with the credential, and sends it from then on',
    async (status) => {
      wantsKim(status);
      const reader = createReader(aPeer());
      expect((await reader.read(server.address)).status).toBe(200);
      expect((await reader.read(server.address)).status).toBe(200);
      expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, AS_KIM, AS_KIM]);
      expect(reader.credential()).toEqual({ username: 'kim', password: 'secret-of-kim' });
    },
  );

  test('given a refusal with a long page, then its connection ends', async () => {
    const ended: Promise<unknown>[] = [];
    server.answers = ({ headers }, answer) => {
      if (headers.authorization === AS_KIM) return void answer.end('fine');
      ended.push(once(answer, 'close'));
      answer.writeHead(401, { 'content-length': String(1 << 30) }).write('x'.repeat(1 << 20));
    };
    await createReader(aPeer()).read(server.address);
    await Promise.all(ended);
    expect(ended).toHaveLength(1);
  });

  test('given a refused credential, then it is an error', async () => {
    server.answers = (_, answer) => void answer.writeHead(403).end();
    expect(await problemOf(createReader(aPeer()).read(server.address))).toMatchObject({ code: 'TARGET_DENIED' });
  });

  test('given another failure, then it is reported and not retried', async () => {
    server.answers = (_, answer) => void answer.writeHead(502).end();
    expect(await problemOf(createReader(aPeer()).read(server.address))).toMatchObject({ code: 'TARGET_BROKEN' });
    expect(server.asked).toHaveLength(1);
  });

  test('given no password, then it asks once', async () => {
    wantsKim(401);
    const reader = createReader(aPeer({ password: null }));
    expect(await problemOf(reader.read(server.address))).toMatchObject({ code: 'TARGET_DENIED' });
    expect([server.asked.length, reader.credential()]).toEqual([1, null]);
  });

  test('given method and headers, then it sends them', async () => {
    await createReader(aPeer()).read(server.address, { method: 'HEAD', headers: { accept: 'text/x' } });
    expect(server.asked).toMatchObject([{ method: 'HEAD', headers: { accept: 'text/x' } }]);
  });
});

test('given an address, then it is shown without user, password, query and fragment', () => {
  expect(shown('https://kim:pw@index.example:8443/simple/?token=1#x')).toBe('https://index.example:8443/simple/');
  expect(shownAnywhere('https://kim:pw@index.example/')).toBe('https://index.example/');
  expect(shownAnywhere('git+ssh://kim@git.example/a')).toBe('git+ssh://git.example/a');
  expect(shownAnywhere('git.example:a.git')).toBe('git.example:a.git');
});

test('given a credential, then it is user, colon and password in base64', () => {
  expect(basic(aPeer({ username: 'kim', password: 'a:b' }))).toBe(`Basic ${Buffer.from('kim:a:b').toString('base64')}`);
});
