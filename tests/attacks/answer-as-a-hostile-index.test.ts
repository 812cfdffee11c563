/** @long @needs tools */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openIndexes } from '../../src/adapters/facts/index-answers/index.js';
import { toolsBin } from '../../src/adapters/home.js';
import type { IndexAnswer } from '../../src/importers/index.js';
import { PIP_SESSION } from '../../src/model/python/pip-session.js';
import { bodies } from '../activities/wheels/fixture.js';
import { JSON_PAGE, type PythonIndex } from '../doubles/python-index.js';
import { takeIndex } from '../support/known-index.js';
import { aStep, runBody } from '../support/run-body.js';

/** A password of the index, which the index itself repeats. */
const CANARY = 'canary-2718';
const LARGE = gzipSync(Buffer.alloc(60 * 2 ** 20), { level: 1 });
const FILE = 'skiff-1.0.tar.gz';

const before = { ...process.env };
let folder: string;
let index: PythonIndex;
let giveBack: () => void;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-hostile-'));
  ({ index, giveBack } = await takeIndex(join(folder, 'home')));
  for (const name of Object.keys(process.env)) if (/^PIP_|_proxy$/i.test(name)) delete process.env[name];
  const own = { SLIPWAY_HOME: join(folder, 'home'), HOME: folder, PIP_CONFIG_FILE: join(folder, 'pip.conf') };
  Object.assign(process.env, own);
  writeFileSync(join(folder, 'pip.conf'), `[global]\nindex-url = ${withPassword('simple/')}\n`);
});
afterEach(() => {
  process.env = { ...before };
  giveBack();
  rmSync(folder, { recursive: true });
});

type Act = (request: IncomingMessage, response: ServerResponse) => void;

const withPassword = (path: string): string =>
  new URL(`/${path}`, index.address).href.replace('//', `//kim:${CANARY}@`);

/** Writes until the reader goes away. */
function endless(response: ServerResponse): void {
  const piece = 'x'.repeat(65_536);
  const more = (): void => {
    while (!response.destroyed && response.write(piece)) continue;
    response.once('drain', more);
  };
  more();
}
const redirect =
  (location: () => string): Act =>
  (_, response) =>
    void response.writeHead(302, { location: location() }).end();
const page =
  (files: () => readonly object[]): Act =>
  (_, response) => {
    response.setHeader('content-type', JSON_PAGE);
    response.end(JSON.stringify({ meta: { 'api-version': '1.1' }, name: 'skiff', files: files() }));
  };
const html =
  (body: () => Buffer, coding?: string): Act =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...(coding && { 'content-encoding': coding }) });
    response.end(body());
  };
/** Repeats the password wherever words of an answer can be. */
const refusesAloud: Act = (_, response) =>
  void response
    .writeHead(401, CANARY, { 'www-authenticate': `Basic realm="${CANARY}"`, 'content-type': `text/${CANARY}` })
    .end(CANARY);
/** Answers to a question for the page of a project, and what is said of them. */
const PAGES: Readonly<Record<string, readonly [answer: string, act: Act, why: RegExp]>> = {
  file: ['a redirect to a file of the worker', redirect(() => 'file:///etc/passwd'), /an address of the kind file:/],
  cloud: [
    'a redirect to the credentials of a cloud',
    redirect(() => 'http://169.254.1.1/latest/'),
    /leads to a link-local address/,
  ],
  circle: ['a redirect in a circle', redirect(() => '.'), /leads in a circle/],
  twice: ['a page that is coded twice', html(() => gzipSync(gzipSync('')), 'gzip, gzip'), /coded twice/],
  large: ['a page that decodes to 60 MB', html(() => LARGE, 'gzip'), /larger than 50 MB/],
  year: [
    'an order to wait for a year',
    (_, response) => void response.writeHead(429, { 'retry-after': '31536000' }).end(),
    /HTTP 429, try again in 31536000 s/,
  ],
  aloud: ['a refusal that repeats the password', refusesAloud, /HTTP 401/],
  led: ['a redirect to an address with the password', redirect(() => withPassword(`else?${CANARY}`)), /HTTP 401/],
};

const plan = (...names: readonly string[]): ReturnType<ReturnType<typeof openIndexes>> =>
  openIndexes({ offline: false })(
    names.map((name) => ({ name, versions: ['1.0'] })),
    0,
  );
const planned = async (): Promise<Extract<IndexAnswer, { state: 'files' }>> => (await plan('skiff'))['skiff'] as never;

/** The end of fetching the source archive, and its log. */
async function fetched(file?: string, sha256 = 'a'.repeat(64)) {
  const source = { kind: 'sdist' as const, name: 'skiff', version: '1.0', sha256, ...(file && { file }) };
  const log: string[] = [];
  const ran = runBody(bodies.fetchSource, aStep('fetchSource', { source }), { surroundings: { env: process.env } });
  const problems = await ran.then(
    (made) => (log.push(made.log), []),
    (error: { problems?: readonly object[] }) => error.problems ?? Promise.reject(error as Error),
  );
  return { problems, told: JSON.stringify([problems, log]) };
}

test('given pages of all hostile kinds, when they are planned, then their projects are unanswered, the others are not, and no word has the password', async () => {
  index.project('other', []);
  index.elsewhere(`/else?${CANARY}`, refusesAloud);
  for (const [name, [, act]] of Object.entries(PAGES)) index.answer(name, act);
  const { other, ...answers } = await plan('other', ...Object.keys(PAGES));
  expect(other).toMatchObject({ state: 'files' });
  const why = ([, , said]: (typeof PAGES)[string]): object => ({
    state: 'unanswered',
    why: expect.stringMatching(said),
  });
  expect(answers).toMatchObject(Object.fromEntries(Object.entries(PAGES).map(([name, one]) => [name, why(one)])));
  expect(JSON.stringify(answers)).not.toContain(CANARY);
});

test.each(Object.values(PAGES))(
  'given %s, when its source is fetched, then nothing is taken, and no word has the password',
  async (_, act, why) => {
    index.answer('skiff', act);
    index.elsewhere(`/else?${CANARY}`, refusesAloud);
    const { problems, told } = await fetched();
    expect(problems).toMatchObject([{ code: 'INDEX_UNREACHABLE', evidence: [expect.stringMatching(why)] }]);
    expect(told).not.toContain(CANARY);
  },
);

test('given addresses in any spelling, then the link-local and unspecified ones are known, and others are not', () => {
  const hosts = [
    '169.254.169.254',
    '0xA9FEA9FE',
    '2852039166',
    '0251.254.0xa9fe',
    '::ffff:169.254.169.254',
    'fe80::1%eth0',
    '0.0.0.0',
    '0',
    '::',
    '::ffff:0.0.0.0',
  ];
  const others = ['127.0.0.1', '10.0.0.1', '::1', 'index.example.invalid', '', 'fe80', '169.255.0.1'];
  const script = `${PIP_SESSION}\nimport json\nprint(json.dumps([closed_kind(one) is not None for one in json.load(sys.stdin)]))`;
  const said = execFileSync(join(toolsBin(), 'python'), ['-c', script], {
    input: JSON.stringify([...hosts, ...others]),
  });
  expect(JSON.parse(said.toString())).toEqual([...hosts.map(() => true), ...others.map(() => false)]);
});

test.each<[string, Act]>([
  [
    'a redirect',
    (_, response) => {
      response.writeHead(302, { location: '/else' });
      endless(response);
    },
  ],
  [
    'a refusal',
    ({ headers }, response) => {
      if (headers.authorization !== undefined) return page(() => [])({} as never, response);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="i"' });
      endless(response);
    },
  ],
])('given %s with an endless body, when it is planned, then the body is not read', async (_, act) => {
  index.answer('skiff', act);
  index.elsewhere(
    '/else',
    page(() => []),
  );
  expect(await planned()).toMatchObject({ state: 'files', files: [] });
});

test('given names that end lines, turn the direction or are paths, when they are planned, then no file has them', async () => {
  const names = ['skiff-1.0\n.tar.gz', 'skiff-1.0\u202e.zip', '../../skiff-1.0.tar.gz', 'skiff-1.0/../x.zip', FILE];
  index.answer(
    'skiff',
    page(() => names.map((filename) => ({ filename }))),
  );
  const answer = await planned();
  expect(answer.files.map(({ file }) => file)).toEqual([FILE]);
  expect(answer.foreign).toEqual(['../../skiff-1.0.tar.gz']);
});

test('given texts of megabytes, when they are planned, then they are cut, and a cut field is no valid one', async () => {
  index.answer(
    'skiff',
    page(() => [{ filename: FILE, yanked: 'y'.repeat(3e5), 'requires-python': `>=3${' '.repeat(3e5)}` }]),
  );
  const [file] = (await planned()).files;
  expect([file!.yanked!.length, file!.requiresPython!.length]).toEqual([1001, 1001]);
  expect(file!.requiresPython).toMatch(/…$/);
});

test('given a version with thousands of files, when it is planned, then the project is unanswered', async () => {
  const file = (_: unknown, at: number): object => ({ filename: `skiff-1.0-${at}-py3-none-any.whl` });
  index.answer(
    'skiff',
    page(() => Array.from({ length: 2001 }, file)),
  );
  index.project('other', []);
  const { skiff } = await plan('skiff', 'other');
  expect(skiff).toMatchObject({ state: 'unanswered', why: expect.stringContaining('2000 files of a version') });
});

/** The address of the file on an honest page, and what is there. */
const FILES: readonly (readonly [string, () => string, Act, string, RegExp])[] = [
  ['an address of the worker', () => `file:///etc/${FILE}`, endlessly, 'SDIST_REFUSED', /of the kind file:/],
  ['a script', () => `javascript:alert(1)//${FILE}`, endlessly, 'SDIST_REFUSED', /of the kind javascript:/],
  ['the credentials of a cloud', () => `http://169.254.1.1/${FILE}`, endlessly, 'SDIST_REFUSED', /link-local/],
  ['a redirect to a file', here, redirect(() => 'file:///etc/passwd'), 'SDIST_REFUSED', /of the kind file:/],
  ['a redirect to them', here, redirect(() => 'http://169.254.1.1/'), 'SDIST_REFUSED', /link-local/],
  [
    'ten gigabytes',
    here,
    (_, response) => void response.writeHead(200, { 'content-length': String(10 * 2 ** 30) }).write('x'),
    'SDIST_REFUSED',
    /larger than 4294967296 bytes/,
  ],
  [
    'a body that is cut',
    here,
    (_, response) => void response.writeHead(200, { 'content-length': '5000' }).write('x', () => response.destroy()),
    'INDEX_UNREACHABLE',
    /connection broke|is cut/,
  ],
  [
    'an order to wait for a year',
    here,
    (_, response) => void response.writeHead(503, { 'retry-after': '31536000' }).end(),
    'INDEX_UNREACHABLE',
    /HTTP 503, try again in 31536000 s/,
  ],
  ['a refusal that repeats the password', here, refusesAloud, 'INDEX_UNREACHABLE', /HTTP 401/],
  [
    'a redirect to an address with the password',
    here,
    redirect(() => withPassword(`else?${CANARY}`)),
    'INDEX_UNREACHABLE',
    /HTTP 401/,
  ],
];
function here(): string {
  return `/files/${FILE}`;
}
function endlessly(_: IncomingMessage, response: ServerResponse): void {
  endless(response);
}

test.each(FILES)(
  'given a source archive at %s, when it is fetched, then it is not taken, and no word has the password',
  async (_, url, act, code, why) => {
    index.answer(
      'skiff',
      page(() => [{ filename: FILE, url: url(), hashes: { sha256: 'a'.repeat(64) } }]),
    );
    index.file(FILE, act);
    index.elsewhere(`/else?${CANARY}`, refusesAloud);
    const { problems, told } = await fetched();
    expect(problems).toMatchObject([{ code }]);
    expect(told).toMatch(why);
    expect(told).not.toContain(CANARY);
  },
);

test('given links that lead out by their names, when the source is fetched, then only the file of the version is written', async () => {
  const bytes = gzipSync('no archive');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const out = [`/files/..%252F..%252F${FILE}`, `/files/skiff-1.0%2F..%2F..%2Fevil.tar.gz`, '/files/skiff-1.0%0a.zip'];
  index.answer(
    'skiff',
    page(() => [...out, here()].map((url) => ({ filename: FILE, url, hashes: {} }))),
  );
  index.file(FILE, (_, response) => void response.end(bytes));
  const { problems } = await fetched(undefined, sha256);
  expect(index.requests.length).toBeGreaterThan(0);
  expect(problems).toMatchObject([{ code: expect.stringMatching(/^ARCHIVE_/) }]);
});

test('given settings of pip that pip cannot read, when a source is fetched, then no word has their password', async () => {
  writeFileSync(join(folder, 'pip.conf'), `[global]\nindex-url ${withPassword('simple/')}\n`);
  const { problems, told } = await fetched();
  expect(problems).toHaveLength(1);
  expect(told).not.toContain(CANARY);
});

/** A backend of the program keyring that tells what it knows, and fails. */
const LOUD_KEYRING = `import sys
from keyring.backend import KeyringBackend
class Loud(KeyringBackend):
    priority = 9
    def get_password(self, service, user):
        print('${CANARY}', file=sys.stderr, flush=True)
        raise RuntimeError('${CANARY}')
    set_password = delete_password = get_password
`;

test('given a keyring that prints the password and fails, when a source is fetched, then no word has it', async () => {
  const backends = join(folder, 'backends');
  const settings = join(folder, '.config', 'python_keyring');
  for (const made of [backends, settings]) mkdirSync(made, { recursive: true });
  writeFileSync(join(backends, 'loud.py'), LOUD_KEYRING);
  const chosen = `[backend]\ndefault-keyring=loud.Loud\nkeyring-path=${backends}\n`;
  writeFileSync(join(settings, 'keyringrc.cfg'), chosen);
  const address = index.address.replace('//', '//kim@');
  writeFileSync(join(folder, 'pip.conf'), `[global]\nindex-url = ${address}\nkeyring-provider = subprocess\n`);
  index.answer('skiff', refusesAloud);
  const { problems, told } = await fetched();
  expect(problems).toMatchObject([{ code: 'INDEX_UNREACHABLE', evidence: [expect.stringContaining('HTTP 401')] }]);
  expect(told).not.toContain(CANARY);
});
