/** @long @needs tools */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openIndexes } from '../../../../src/adapters/facts/index-answers/index.js';
import { projectPage } from '../../../../src/engine/index/pages.js';
import type { IndexAnswer } from '../../../../src/importers/index.js';
import { anEntry } from '../../../engine/index/an-entry.js';
import { type PythonIndex, startPythonIndex } from '../../../doubles/python-index.js';
import { takeIndex } from '../../../support/known-index.js';
import { asked, HOUR_MS, OLD, problemOf, SDIST, WHEEL } from './ask-an-index.js';
import { page, WRONG } from './wrong-pages.js';

const before = { ...process.env };
let folder: string;
let index: PythonIndex;
let giveBack: () => void;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-index-'));
  ({ index, giveBack } = await takeIndex(join(folder, 'home')));
  for (const name of Object.keys(process.env)) if (/^PIP_|_proxy$/i.test(name)) delete process.env[name];
  process.env['SLIPWAY_HOME'] = join(folder, 'home');
  process.env['HOME'] = folder;
  process.env['PIP_CONFIG_FILE'] = join(folder, 'pip.conf');
  configure(index.address);
});
afterEach(() => {
  process.env = { ...before };
  giveBack();
  rmSync(folder, { recursive: true });
});

/** Writes pip's settings. @param extra addresses of further indexes */
function configure(address: string, ...extra: readonly string[]): void {
  const lines = [`index-url = ${address}`, ...(extra.length > 0 ? [`extra-index-url = ${extra.join(' ')}`] : [])];
  writeFileSync(join(folder, 'pip.conf'), `[global]\n${lines.join('\n')}\n`);
}

test.each([
  ['a version without a label', '1.17.0', [WHEEL.filename, 'six-1.17.0+sea.1-py3-none-any.whl']],
  ['a version with one', '1.17+sea.1', ['six-1.17.0+sea.1-py3-none-any.whl']],
])(
  'given files with local labels, when %s is asked for, then PEP 440 decides which are of it',
  async (_, one, files) => {
    const labelled = ['six-1.17.0+sea.1', 'six-1.17.1+sea.1'].map((stem) => `${stem}-py3-none-any.whl`);
    index.project('six', [OLD, WHEEL, ...labelled.map((filename) => ({ ...WHEEL, filename }))]);
    const answer = await asked('six', { versions: [one] });
    if (answer.state !== 'files') throw new Error(answer.state);
    expect(answer.files.map(({ file, version }) => [file, version]).toSorted()).toEqual(
      files.toSorted().map((file) => [file, one]),
    );
  },
);

test('given a JSON page, then files of the asked versions come out, with all that the index says of them', async () => {
  index.project('six', [OLD, WHEEL, SDIST]);
  expect(await asked('six')).toMatchObject({
    ...{ state: 'files', late: null, newest: ['1.16.0', '1.17.0'], foreign: [] },
    files: [
      {
        ...{ file: WHEEL.filename, version: '1.17.0', sha256: 'a'.repeat(64), size: 11_050 },
        ...{ requiresPython: null, yanked: null, uploadedAt: null },
      },
      {
        ...{ file: SDIST.filename, version: '1.17.0', sha256: 'b'.repeat(64), size: 34_031 },
        ...{ requiresPython: '!=3.0.*,>=2.7', yanked: 'broken', uploadedAt: '2024-12-04T17:35:26.475808Z' },
      },
    ],
  });
});

test('given an HTML page, then it says the same, without sizes', async () => {
  index.answer('six', (_, response) => {
    response.setHeader('content-type', 'text/html');
    const link = (file: string, more: string): string =>
      `<a href="../../files/${file}#sha256=${'a'.repeat(64)}" ${more}>${file}</a>`;
    response.end(
      `<!DOCTYPE html><body>${link(WHEEL.filename, 'data-requires-python="&gt;=2.7"')}${link(SDIST.filename, 'data-yanked=""')}</body>`,
    );
  });
  expect(await asked('six')).toMatchObject({
    state: 'files',
    files: [
      { file: WHEEL.filename, sha256: 'a'.repeat(64), size: null, requiresPython: '>=2.7', yanked: null },
      { file: SDIST.filename, yanked: '' },
    ],
  });
});

test.each([
  ['1.17', ['six-1.17.0-py2.py3-none-any.whl', 'six-1.17.0.tar.gz'], 'versions compare as PEP 440 has it'],
  ['1.18.post1', ['six-1.18-1.tar.gz'], "a post release by pip's reading of the name"],
  ['2024e-text', ['six-2024e-text.zip'], 'a version that is none compares as text'],
])('given version %s, then its files are %j: %s', async (version, files) => {
  const others = ['six-1.18-1.tar.gz', 'six-2024e-text.zip'].map((filename) => ({ filename }));
  index.project('six', [OLD, WHEEL, SDIST, ...others]);
  const answer = (await asked('six', { versions: [version] })) as Extract<IndexAnswer, { state: 'files' }>;
  expect(answer.files.map(({ file }) => file)).toEqual(files);
  expect(new Set(answer.files.map((one) => one.version))).toEqual(new Set([version]));
});

test('given names with dots, then they are one project, and files of other projects on the page are told', async () => {
  index.project('zope-interface', [
    { filename: 'zope.interface-7.2.tar.gz' },
    { filename: 'zope_interface-7.2-cp311-cp311-manylinux_2_17_x86_64.whl' },
    { filename: 'zope.interface.extra-7.2-py3-none-any.whl' },
  ]);
  expect(await asked('zope-interface', { versions: ['7.2'] })).toMatchObject({
    files: [
      { file: 'zope.interface-7.2.tar.gz' },
      { file: 'zope_interface-7.2-cp311-cp311-manylinux_2_17_x86_64.whl' },
    ],
    foreign: ['zope.interface.extra-7.2-py3-none-any.whl'],
  });
});

test.each([
  ['a link that is none', 'http://[six-1.17.0.tar.gz'],
  ['a name of thousands of characters', `six-${'1'.repeat(5_000)}.tar.gz`],
  ['a name of dashes', `${'s-'.repeat(200_000)}.tar.gz`],
])('given %s on a page, then it is left out, and the other files are there', async (_, href) => {
  index.answer('six', (__, response) =>
    page(response, `<a href="${href}">x</a><a href="${SDIST.filename}">six</a>`, 'text/html'),
  );
  expect(await asked('six', { versions: 'all' })).toMatchObject({ files: [{ file: SDIST.filename }], foreign: [] });
});

test('given sizes that are none, then the files have no size', async () => {
  const sizes = [-1, 1e300, true, '5', [5]];
  index.project(
    'six',
    sizes.map((size, at) => ({ filename: `six-1.${at}.tar.gz`, size })),
  );
  const { files } = (await asked('six', { versions: 'all' })) as Extract<IndexAnswer, { state: 'files' }>;
  expect(files.map(({ size }) => size)).toEqual(sizes.map(() => null));
});

test('given a project that no index has, then it is absent, and that is remembered too', async () => {
  expect(await asked('nowhere')).toMatchObject({ state: 'absent', late: null });
  expect(await asked('nowhere')).toMatchObject({ state: 'absent' });
  expect(index.asked).toEqual(['nowhere']);
});

test('given a young answer, then it is not asked for again, but a version that was never asked for is', async () => {
  index.project('six', [OLD, WHEEL]);
  await asked('six');
  await asked('six');
  expect(index.asked).toEqual(['six']);
  expect(await asked('six', { versions: ['1.16.0', '1.17.0'] })).toMatchObject({
    files: [{ file: OLD.filename }, { file: WHEEL.filename }],
  });
  expect(index.asked).toEqual(['six', 'six']);
  await asked('six'); // another release file's version is still known
  expect(index.asked).toEqual(['six', 'six']);
});

test('given an old answer, then its entity tag is sent and 304 renews it', async () => {
  index.project('six', [WHEEL]);
  const first = await asked('six');
  const again = await asked('six', { nowMs: Date.now() + 7 * HOUR_MS });
  expect(index.requests.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([false, true]);
  expect({ ...again, askedAt: '' }).toEqual({ ...first, askedAt: '' });
  expect((again as { askedAt: string }).askedAt > (first as { askedAt: string }).askedAt).toBe(true);
});

const wrongs = WRONG.map(([what, wrong, why], at) => ({ what, wrong, why, name: `wrong${at}` }));
/** All rows are projects of one question, as of one plan. @returns answers by row */
async function askedWrong(maxAgeMs: number) {
  const projects = [...wrongs, { name: 'seven' }].map(({ name }) => ({ name, versions: ['1.17.0'] }));
  const { seven, ...answers } = await openIndexes({ offline: false })(projects, maxAgeMs);
  expect(seven).toMatchObject({ state: 'files', late: null });
  return Object.fromEntries(wrongs.map(({ what, name }) => [what, answers[name]!]));
}
const byRow = (expected: (row: (typeof wrongs)[number]) => unknown): object =>
  Object.fromEntries(wrongs.map((row) => [row.what, expected(row)]));
const answerWrongly = (): void =>
  wrongs.forEach(({ name, wrong }) => index.answer(name, (_, response) => wrong(response)));

test('given pages that are no answer, then what the index said before stands, with its age', async () => {
  for (const { name } of [...wrongs, { name: 'seven' }])
    index.project(name, [{ ...WHEEL, filename: `${name}-1.17.0-py3-none-any.whl` }]);
  const first = await askedWrong(6 * HOUR_MS);
  answerWrongly();
  const late = await askedWrong(0);
  expect(late).toEqual(byRow(({ what, why }) => ({ ...first[what], late: expect.stringContaining(why) })));
});

test('given pages that are no answer and no former one, then these projects are unanswered, since the first time', async () => {
  index.project('seven', [{ filename: 'seven-1.0.tar.gz' }]);
  answerWrongly();
  const answers = await askedWrong(0);
  expect(answers).toEqual(
    byRow(({ why }) => ({ state: 'unanswered', since: expect.any(String), why: expect.stringContaining(why) })),
  );
  const sinceOf = (of: typeof answers) => byRow(({ what }) => (of[what] as { since: string }).since);
  expect(sinceOf(await askedWrong(0))).toEqual(sinceOf(answers));
});

test('given an index that asks to wait, then it is asked again after that', async () => {
  const times: number[] = [];
  index.answer('six', (_, response) => {
    times.push(performance.now());
    if (times.length === 1) return void response.writeHead(429, { 'retry-after': '1' }).end();
    page(response, JSON.stringify({ name: 'six', files: [WHEEL] }));
  });
  expect(await asked('six')).toMatchObject({ state: 'files', late: null });
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990);
});

test('given an index that asks to wait for a day, then nobody waits', async () => {
  index.project('seven', []);
  index.answer('six', (_, response) => void response.writeHead(503, { 'retry-after': '86400' }).end());
  const answers = await openIndexes({ offline: false })(
    ['six', 'seven'].map((name) => ({ name, versions: 'all' })),
    0,
  );
  expect(answers['six']).toMatchObject({ state: 'unanswered', why: 'it answers HTTP 503, try again in 86400 s' });
});

test('given an index that goes silent half way, then it is not asked for every project', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `p${String(at).padStart(2, '0')}`);
  let answered = 0;
  for (const name of names)
    index.answer(name, (_, response) => {
      answered += 1;
      if (answered > 10) return void response.destroy();
      page(response, JSON.stringify({ name, files: [] }));
    });
  const answers = await openIndexes({ offline: false })(
    names.map((name) => ({ name, versions: ['1'] })),
    0,
  );
  const states = names.map((name) => answers[name]!.state);
  expect(states.filter((state) => state === 'files')).toHaveLength(10);
  expect(states.filter((state) => state === 'unanswered')).toHaveLength(30);
  expect(index.asked.length).toBeLessThan(10 + 3 * 12);
});

test('given no answer at all and none before, then that is an outage', async () => {
  await index.stop();
  expect(await problemOf(asked('six'))).toMatchObject({
    ...{ code: 'INDEX_UNREACHABLE', class: 'infra', service: 'python-index' },
    evidence: ['there is no connection'],
  });
});

test('given an index that refuses the credential, then that is told, and is no outage', async () => {
  for (const status of [401, 403]) {
    index.answer('six', (_, response) => void response.writeHead(status).end());
    expect(await problemOf(asked('six'))).toMatchObject({ code: 'INDEX_DENIED', class: 'denied' });
  }
});

test('given an index in a folder, then it is read as any other', async () => {
  mkdirSync(join(folder, 'simple', 'six'), { recursive: true });
  writeFileSync(join(folder, 'simple', 'six', 'index.html'), `<a href="${SDIST.filename}">${SDIST.filename}</a>`);
  configure(`file://${folder}/simple/`);
  expect(await asked('six')).toMatchObject({ state: 'files', files: [{ file: SDIST.filename, sha256: null }] });
  expect(await asked('seven')).toMatchObject({ state: 'absent' });
});

test('given --offline, then nobody is asked: answers are of any age, the rest is unanswered', async () => {
  index.project('six', [WHEEL]);
  await asked('six');
  const late = { maxAgeMs: 0, offline: true, nowMs: Date.now() + 1000 * HOUR_MS };
  expect(await asked('six', late)).toMatchObject({ state: 'files', late: 'planned with --offline' });
  expect(await asked('seven', late)).toMatchObject({ state: 'unanswered', why: 'planned with --offline' });
  expect(index.asked).toEqual(['six']);
});

test('given several indexes, then the first that has a file decides, and a silent one leaves the project unanswered', async () => {
  const second = await startPythonIndex();
  configure(index.address, second.address);
  index.project('six', [WHEEL]);
  second.project('six', [{ ...WHEEL, size: 1 }, SDIST]);
  second.project('seven', [{ filename: 'seven-1.0.tar.gz' }]);
  expect(await asked('six')).toMatchObject({ files: [{ size: 11_050 }, { file: SDIST.filename }] });
  expect(await asked('seven', { versions: ['1.0'] })).toMatchObject({ files: [{ file: 'seven-1.0.tar.gz' }] });
  await second.stop();
  index.project('eight', [{ filename: 'eight-1.0.tar.gz' }]);
  expect(await asked('eight', { versions: ['1.0'] })).toMatchObject({ state: 'unanswered' });
});

test('given a page of our own index, then it is not upstream', async () => {
  index.project('six', [{ ...WHEEL, _slipway: { statement: 'six.intoto.json' } }]);
  expect(await asked('six')).toMatchObject({ state: 'absent' });
});

test.each([
  ['over HTTP', () => index.address],
  ['by its folder', () => pathToFileURL(join(folder, 'simple')).href],
])('given an HTML page of our own index that is read %s, then it is not upstream', async (_, address) => {
  const { html } = projectPage('six', [anEntry(WHEEL.filename)]);
  index.answer('six', (__, response) => page(response, html, 'text/html'));
  mkdirSync(join(folder, 'simple/six'), { recursive: true });
  writeFileSync(join(folder, 'simple/six/index.html'), html);
  configure(address());
  expect(await asked('six')).toMatchObject({ state: 'absent' });
});

test('given pip without an index, then that is told', async () => {
  writeFileSync(join(folder, 'pip.conf'), '[global]\nno-index = true\n');
  expect(await problemOf(asked('six'))).toMatchObject({ code: 'INDEX_NONE', class: 'config' });
});

test('given credentials in the address or in netrc, then they are used, and neither they nor the address are kept or told', async () => {
  const CANARY = 'canary-3141';
  const port = new URL(index.address).port;
  const authorised: (string | undefined)[] = [];
  for (const name of ['six', 'seven'])
    index.answer(name, ({ headers }, response) => {
      authorised.push(headers.authorization);
      if (headers.authorization === undefined)
        return void response.writeHead(401, { 'www-authenticate': 'Basic realm="index"' }).end();
      if (name === 'seven') return void response.writeHead(500, `${CANARY}`).end();
      page(response, JSON.stringify({ name, files: [WHEEL] }));
    });
  const ask = (): Promise<object> =>
    openIndexes({ offline: false })(
      ['six', 'seven'].map((name) => ({ name, versions: ['1.17.0'] })),
      0,
    );
  configure(index.address.replace('//', `//kim:${CANARY}@`));
  const said = [await ask()];
  configure(index.address);
  writeFileSync(join(folder, 'netrc'), `machine 127.0.0.1 login kim password ${CANARY}\n`, { mode: 0o600 });
  process.env['NETRC'] = join(folder, 'netrc');
  said.push(await ask());
  const basic = `Basic ${Buffer.from(`kim:${CANARY}`).toString('base64')}`;
  expect(authorised.filter((one) => one === basic).length).toBeGreaterThanOrEqual(4);
  const kept = execFileSync('grep', ['-r', '.', process.env['SLIPWAY_HOME']!], { encoding: 'utf8' });
  expect(kept).toContain(WHEEL.filename);
  for (const text of [JSON.stringify(said), kept]) {
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain(port);
  }
});
