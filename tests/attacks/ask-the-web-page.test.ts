/** @needs services */
import { readFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from '../../src/client/connect.js';
import type { ReleaseClient } from '../../src/client/index.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { accessLogFile, portsFile, servicesFile } from '../../src/services/folders.js';
import { readJson } from '../../src/services/files.js';
import type { Ports } from '../../src/services/free-ports.js';
import type { ServicesState } from '../../src/services/state.js';
import { MOST_BYTES } from '../../src/workflows/page.js';
import { ownPorts } from '../support/own-ports.js';
import { until } from '../support/until.js';
import { aHome } from '../services/a-home.js';

interface Said {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
interface Asked {
  readonly port: number;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request as a browser does for a page of some site. */
const ask = ({ port, path = '/', method = 'GET', headers = {}, body }: Asked): Promise<Said | null> =>
  new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (piece: Buffer) => (text += piece.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', () => resolve(null));
    sent.end(body);
  });

const START = {
  path: '/api/v1/namespaces/default/workflows/strange',
  method: 'POST',
  body: JSON.stringify({ workflowType: { name: 'release' }, taskQueue: { name: 'control' } }),
};

describe('[C1] a web page of another site asks Temporal through the browser', () => {
  let home: string;
  let services: Services;
  let client: ReleaseClient;
  let end: () => Promise<void>;
  let port: number;
  let ports: readonly number[];
  let cookie: string;

  beforeAll(async () => {
    const made = await aHome();
    home = made.home;
    services = createServices(made.env, ['temporal', 'codec', 'devpi', 'web']);
    end = async () => {
      await services.down({ onLine: () => undefined });
      made.remove();
    };
    await services.up({ onLine: () => undefined });
    port = readJson<Ports>(portsFile(home))!.ui;
    ports = ownPorts(readJson<ServicesState>(servicesFile(home))!.services['temporal']!.pid);
    const link = await ask({ port, path: services.link()!.slice(services.link()!.indexOf('/?')) });
    cookie = link!.headers['set-cookie']![0]!.split(';')[0]!;
    client = await connect({ home });
  });
  afterAll(async () => {
    await client?.close();
    await end?.();
  });
  const refusals = (): string => readFileSync(accessLogFile(home, 'ui'), 'utf8');

  test('given a host name that resolves to 127.0.0.1, then it gets 403, and the log has a line', async () => {
    const headers = { host: `rebound.example:${port}` };
    expect(await ask({ port, headers, path: '/api/v1/namespaces' })).toMatchObject({ status: 403 });
    expect(await ask({ ...START, port, headers })).toMatchObject({ status: 403 });
    expect(refusals()).toMatch(/GET 403 "\/api\/v1\/namespaces" host="rebound\.example:\d+" origin="-"/);
  });

  test.each([
    ['its origin', { origin: 'http://evil.example', 'content-type': 'text/plain' }],
    ['an origin that the browser hides', { origin: 'null', 'content-type': 'text/plain' }],
    ['a server of another port of this machine', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }],
    ['an image or a script', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ])('given %s, then it gets 403', async (_, headers) => {
    expect(await ask({ ...START, port, headers })).toMatchObject({ status: 403 });
    expect(await ask({ port, headers, path: '/api/v1/namespaces' })).toMatchObject({ status: 403 });
  });

  test('given that it avoids the proxy, then the server has no other port, and its own takes no plain request', async () => {
    expect(ports.toSorted()).toEqual([port, Number(services.address('temporal')!.split(':')[1])].toSorted());
    const headers = { origin: 'http://evil.example', 'content-type': 'text/plain' };
    const said = await Promise.all(ports.map((one) => ask({ ...START, port: one, headers })));
    expect(said.filter((one) => one !== null && one.status < 400)).toEqual([]);
    expect(await client.runs(10)).toEqual([]);
  });

  const DECODE = { path: '/+codec/decode', method: 'POST', body: '{}' };
  const withKey = (): Record<string, string> => ({ authorization: `Bearer ${services.link()!.split('key=')[1]}` });

  test.each([
    ['its origin', { origin: 'http://evil.example', 'content-type': 'text/plain' }],
    ['another name of this page', { origin: 'http://localhost:PORT' }],
    ['a server of another port', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' }],
  ])('given %s and a stolen cookie or key, then the codec server opens nothing', async (_, { origin, ...more }) => {
    const headers = { ...more, origin: origin.replace('PORT', String(port)) };
    for (const secret of [{ cookie }, withKey()])
      expect(await ask({ ...DECODE, port, headers: { ...headers, ...secret } })).toMatchObject({ status: 403 });
  });

  test('given no key, or another one, then the codec server opens nothing, however long the request', async () => {
    const long = { ...DECODE, body: 'x'.repeat(30_000_000) };
    for (const one of [
      DECODE,
      { ...DECODE, headers: { authorization: 'Bearer 0' } },
      { ...DECODE, path: '/+codec/encode' },
    ])
      expect(await ask({ ...one, port })).toMatchObject({
        status: 401,
        body: expect.stringContaining('slipway up') as string,
      });
    // nginx closes the connection while the rest is still being sent.
    expect([401, undefined]).toContain((await ask({ ...long, port }))?.status);
    // The key opens the codec server to programs, and the page to browsers by its link alone.
    expect(await ask({ port, path: '/api/v1/namespaces', headers: withKey() })).toMatchObject({ status: 401 });
  });

  test('when the page’s script or the temporal CLI asks, then the codec server answers, without CORS, and refuses what is no question', async () => {
    const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin', cookie };
    const said = await ask({ ...DECODE, port, headers: own });
    expect(said).toMatchObject({ status: 200, body: '{"payloads":[]}' });
    expect(Object.keys(said!.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(await ask({ ...DECODE, port, headers: withKey() })).toMatchObject({ status: 200 });
    const refused = async (body: string) => ask({ ...DECODE, body, port, headers: withKey() });
    expect(await refused('x')).toMatchObject({
      status: 400,
      body: expect.stringContaining('CODEC_QUESTION_UNREADABLE') as string,
    });
    expect(await refused('x'.repeat(30_000_000))).toMatchObject({
      status: 413,
      body: expect.stringContaining('CODEC_QUESTION_TOO_LARGE') as string,
    });
    const settings = await ask({ port, path: '/api/v1/settings', headers: own });
    const disabled = { WorkflowResetDisabled: true, BatchActionsDisabled: true };
    expect(JSON.parse(settings!.body)).toMatchObject({ Codec: { Endpoint: '/+codec' }, ...disabled });
  });

  test.each([
    ['to reset a run', 'workflows/release%2Fskiff%2F1.2.0/reset'],
    ['to reset a run, with a question', 'workflows/release%2Fskiff%2F1.2.0/reset?x=/'],
    ['to reset a run, with a question that names another', 'workflows/skiff/reset?x=%2freset'],
    ['to reset a run in other letters', 'workflows/release%2Fskiff%2F1.2.0/%72e%73et'],
    ['to reset a run of another folder in other letters', '%77orkflows/release%2Fskiff%2F1.2.0/reset'],
    ['to reset a run in capitals', 'workflows/release%2Fskiff%2F1.2.0/RESET'],
    ['to reset a run with empty parts', '/workflows//release%2Fskiff%2F1.2.0//reset/'],
    ['to reset a run by a detour', 'workflows/x/../release%2Fskiff%2F1.2.0/signal/../%2e/reset'],
    ['to reset a run whose name has a line feed', 'workflows/release%0A/reset'],
    ['to act on many runs in other letters', 'batch%2Doperation%73/7b0d5c0e'],
    ['to act on many runs', 'batch-operations/7b0d5c0e'],
    ['to act on many runs by an id in the body', 'batch-operations'],
  ])('when the page is told %s, then it says what to type in place of that', async (_, path) => {
    const reset = {
      resetOperation: { options: { firstWorkflowTask: {} } },
      visibilityQuery: 'WorkflowType = "release"',
    };
    const asked = { path: `/api/v1/namespaces/default/${path}`, method: 'POST', body: JSON.stringify(reset) };
    const said = await ask({ ...asked, port, headers: { cookie } });
    expect(said).toMatchObject({ status: 403, body: expect.stringContaining('slipway retry --from') as string });
  });

  test('given bulk actions that the command line began, then the page lists them', async () => {
    const path = '/api/v1/namespaces/default/batch-operations';
    expect(await ask({ port, path, headers: { cookie } })).toMatchObject({ status: 200 });
  });

  test('given the name localhost, then a browser is sent to the address that the cookie is for', async () => {
    const sent = await ask({ port, path: '/namespaces?x=1', headers: { host: `localhost:${port}` } });
    expect(sent).toMatchObject({ status: 307, headers: { location: `http://127.0.0.1:${port}/namespaces?x=1` } });
    expect(sent!.headers).not.toHaveProperty('set-cookie');
  });

  test('when a person’s browser asks, also by a link from elsewhere, then it is answered and can start a workflow', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const path = '/namespaces/default/workflows';
    // A browser sends a strict cookie with its second request, which the answer's `Refresh` makes it send.
    expect(await ask({ port, path, headers: link })).toMatchObject({ status: 401, headers: { refresh: '0' } });
    const page = await ask({ port, path, headers: { cookie } });
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<html') as string });
    expect(page!.headers['x-frame-options']).toBe('SAMEORIGIN');
    // The page asks for details as HTML by an address that contains all of them.
    const rendered = `/render?content=${encodeURIComponent('…'.repeat(MOST_BYTES / 3))}`;
    expect(await ask({ port, path: rendered, headers: { cookie } })).toMatchObject({ status: 200 });
    const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin', cookie };
    const settings = await ask({ port, path: '/api/v1/settings', headers: own });
    const set = (settings!.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]!).join('; ');
    const token = /_csrf=([^;]+)/.exec(set)![1]!;
    const headers = { ...own, cookie: `${cookie}; ${set}`, 'x-csrf-token': token, 'content-type': 'application/json' };
    const started = await ask({ ...START, port, headers });
    expect(started).toMatchObject({ status: 200 });
    // The server lists a run some time after its start.
    const listed = await until(async () => (await client.runs(10)).length || null);
    expect(listed).toBe(1);
    const another = await ask({ ...START, path: `${START.path}%2Freset`, port, headers });
    expect(another).toMatchObject({ status: 200 });
  });
});
