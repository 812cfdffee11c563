import { createHash } from 'node:crypto';
import dns from 'node:dns';
import { runInThisContext } from 'node:vm';
import { createFetchTool } from '../../../src/activities/tools/fetch-tool.js';
import { isInside } from '../../../src/adapters/http/inside.js';
import { createToolServer } from '../../../src/adapters/tool-server/tool-server.js';
import { SlipwayFailure, type Problem } from '../../../src/model/failure.js';
import type { Params } from '../../../src/model/params.js';
import { startWheelHost, type WheelHost } from '../../doubles/wheel-host.js';
import { aStep, runBody } from '../../support/run-body.js';

const PATH = '/0.33.0/raymake-linux-x86_64';
const BYTES = Buffer.from('#!/bin/sh\necho raymake 0.33.0\n');
const hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let host: WheelHost;
let other: WheelHost;
beforeEach(async () => {
  [host, other] = [await startWheelHost(), await startWheelHost()];
});
afterEach(async () => {
  jest.restoreAllMocks();
  delete sandbox[AGENT];
  await Promise.all([host.stop(), other.stop()]);
});

const fetched = (more: Partial<Params['fetchTool']> = {}, mostBytes?: number, signal?: AbortSignal) =>
  runBody(
    createFetchTool({ toolServer: createToolServer(mostBytes) }),
    aStep(
      'fetchTool',
      {
        ...{ tool: 'raymake', says: '0.33.0', file: '.rayciversion', machine: 'linux-x86_64' },
        ...{ at: `${host.address}${PATH}`, sha256: hex(BYTES), ...more },
      },
      { id: 'tools/raymake/linux-x86_64', stage: 'source' },
    ),
    signal ? { signal } : {},
  );

async function refusal(asked: Promise<unknown>): Promise<Problem> {
  const error: unknown = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SlipwayFailure)) throw error;
  return error.first;
}
const redirect = (to: string): void =>
  host.answer(PATH, (_request, response) => void response.writeHead(302, { location: to }).end());

test('given the bytes of the digest, then they are an artifact under the name of the tool, with its version', async () => {
  host.put(PATH, BYTES);
  const { made } = await fetched();
  expect(made).toMatchObject({
    artifacts: [{ kind: 'tool', name: 'raymake', digest: `sha256:${hex(BYTES)}` }],
    facts: { version: '0.33.0' },
  });
});

test('given other bytes, then the step names both digests, the version and the line that is to be corrected', async () => {
  host.put(PATH, Buffer.from('#!/bin/sh\necho other\n'));
  const problem = await refusal(fetched());
  expect(problem).toMatchObject({ code: 'TOOL_DIGEST_DIFFERS', path: 'tools.raymake.sha256.linux-x86_64' });
  expect(problem.message).toContain('(raymake 0.33.0, as .rayciversion says) has sha256 ');
});

test.each([404, 403, 401, 410])('given an answer of HTTP %i, then it is no outage', async (status) => {
  host.answer(PATH, (_request, response) => void response.writeHead(status).end('no'));
  const problem = await refusal(fetched());
  expect(problem).toMatchObject({ code: 'TOOL_FILE_ABSENT', class: 'config', path: 'tools.raymake.at' });
  expect(problem.message).toContain(`answers HTTP ${status}`);
});

test.each([500, 503, 429])('given an answer of HTTP %i, then the step is tried again', async (status) => {
  host.answer(PATH, (_request, response) => void response.writeHead(status).end());
  expect(await refusal(fetched())).toMatchObject({ code: 'TOOL_SERVER_SILENT', class: 'infra' });
});

test('given nothing that listens, then the step is tried again', async () => {
  expect(await refusal(fetched({ at: `http://127.0.0.1:1${PATH}` }))).toMatchObject({
    ...{ code: 'TOOL_SERVER_SILENT', class: 'infra' },
  });
});

test('given a download that breaks off, then the step is tried again', async () => {
  host.answer(PATH, (_request, response) => {
    response.writeHead(200, { 'content-length': BYTES.length });
    response.write(BYTES.subarray(0, 4), () => response.destroy());
  });
  expect(await refusal(fetched())).toMatchObject({ code: 'TOOL_SERVER_SILENT', class: 'infra' });
});

test('given an aborted step, then it ends as its abort says', async () => {
  const stop = new AbortController();
  host.answer(PATH, () => stop.abort(new Error('stopped')));
  await expect(fetched({}, undefined, stop.signal)).rejects.toThrow('stopped');
});

test('given a redirect inside the server, then it is followed', async () => {
  host.put('/there', BYTES);
  redirect('/there');
  expect((await fetched()).made.artifacts).toHaveLength(1);
});

test('given a redirect to another server of this machine, then that one is not asked', async () => {
  other.put('/there', BYTES);
  redirect(`${other.address}/there`);
  const problem = await refusal(fetched());
  expect(problem).toMatchObject({ code: 'TOOL_REDIRECTED', class: 'denied', path: 'tools.raymake.at' });
  expect(problem.message).toContain('127.0.0.1 is 127.0.0.1, an address of this machine');
  expect(other.asked).toEqual([]);
});

test.each([
  ...['http://localhost:1/x', 'http://[::1]:1/x', 'http://[::ffff:127.0.0.1]:1/x', 'http://0x7f.1:1/x'],
  ...['http://10.1.2.3/x', 'http://172.16.0.1/x', 'http://192.168.1.1/x', 'http://100.64.0.1/x', 'http://0.0.0.0/x'],
  ...[
    'http://[::127.0.0.1]/x',
    'http://[2002:7f00:1::]/x',
    'http://[2002:a01:203::1]/x',
    'http://[::ffff:0:10.0.0.1]/x',
  ],
  ...['http://[64:ff9b::192.168.0.1]/x', 'http://[::ffff:10.0.0.1]/x', 'http://[2001::1]/x', 'http://[ff02::1]/x'],
  ...['http://[fd00::1]/x', 'http://[64:ff9b::a00:1]/x', 'http://[::]/x'],
])('given a redirect to %s, then it is refused', async (to) => {
  redirect(to);
  expect(await refusal(fetched())).toMatchObject({ code: 'TOOL_REDIRECTED' });
});

test('given a redirect to a link-local address, then it is refused', async () => {
  redirect('http://169.254.169.254/latest');
  expect(await refusal(fetched())).toMatchObject({ class: 'denied' });
});

/** Names that a server of names leads to this machine, but only when a socket asks: the first answer was a public address. */
const AGENT = Symbol.for('undici.globalDispatcher.1');
const sandbox = globalThis as unknown as Record<symbol, unknown>;
const rebinding = (name: string): void => {
  // The sandbox of a test hides the agent of fetch, and fetch keeps the words alone of an error of the sandbox.
  void new Headers();
  sandbox[AGENT] = (runInThisContext('globalThis') as typeof sandbox)[AGENT];
  const really = dns.lookup;
  const answer = ((host: string, options: dns.LookupOptions, done: (...all: unknown[]) => void) =>
    host === name
      ? done(null, [{ address: '127.0.0.1', family: 4 }])
      : really(host, options as dns.LookupAllOptions, done)) as typeof dns.lookup;
  jest.spyOn(dns, 'lookup').mockImplementation(answer);
  jest
    .spyOn(dns.promises, 'lookup')
    .mockImplementation((() =>
      Promise.resolve([{ address: '93.184.216.34', family: 4 }])) as unknown as typeof dns.promises.lookup);
};
const byName = ({ address }: WheelHost): string => address.replace('127.0.0.1', 'tools.example');

test('given a name that leads to this machine when a socket asks, then no server is asked and no status is told', async () => {
  rebinding('tools.example');
  const problem = await refusal(fetched({ at: `${byName(host)}${PATH}` }));
  expect(problem.message).toContain('TOOL_SERVER_INSIDE');
  expect(problem.message).toContain('tools.example is 127.0.0.1');
  expect(problem.message).not.toContain('HTTP');
  expect(host.asked).toEqual([]);
});

test('given a redirect to such a name, then its server is not asked', async () => {
  rebinding('tools.example');
  redirect(`${byName(other)}/there`);
  expect((await refusal(fetched())).message).toContain('TOOL_REDIRECTED');
  expect(other.asked).toEqual([]);
});

test('given an address that is localhost, then it is asked', async () => {
  host.put(PATH, BYTES);
  const at = `${host.address.replace('127.0.0.1', 'localhost')}${PATH}`;
  expect((await fetched({ at })).made.artifacts).toHaveLength(1);
});

test.each(['http://93.184.216.34/x', 'http://[2606:2800:220:1::1]/x', 'http://[2002:5db8:d822::1]/x'])(
  'given %s, then it is no address inside',
  (url) => {
    expect(isInside(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'))).toBe(false);
  },
);

test.each(['ftp://tools.example.invalid/x', PATH])(
  'given a redirect to %s, then it is refused, not tried again',
  async (to) => {
    redirect(to);
    expect(await refusal(fetched())).toMatchObject({ code: 'TOOL_REDIRECTED', class: 'denied' });
  },
);

test.each([
  ['a page', '<html>sign in</html>'],
  ['an archive', '\x1f\x8b\x08'],
  ['nothing', ''],
])('given %s with the right digest, then it is no program', async (_what, text) => {
  const bytes = Buffer.from(text, 'latin1');
  host.put(PATH, bytes);
  expect(await refusal(fetched({ sha256: hex(bytes) }))).toMatchObject({ code: 'TOOL_NOT_EXECUTABLE' });
});

test('given more bytes than a tool has, then the download ends, and the limit is named', async () => {
  host.put(PATH, BYTES);
  const problem = await refusal(fetched({}, 16));
  expect(problem).toMatchObject({ code: 'TOOL_TOO_LARGE', class: 'config' });
  expect(problem.message).toContain('more than 16 bytes');
});
