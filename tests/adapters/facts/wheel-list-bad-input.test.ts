/** @long @needs tools */
import type { ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planWithRows } from '../../../src/adapters/facts/index.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { JSON_PAGE } from '../../doubles/python-index.js';
import { aWheelList, sdist, type WheelListWorld } from '../../support/a-wheel-list.js';

const FILE = `slipway: 1
pipeline: { name: boats, label: X1 }
platforms:
  debian-12: { like: linux-x86_64, libc: '2.36', base: debian-12 }
  debian-13: { like: linux-x86_64, libc: '2.41', base: debian-13 }
bases:
  debian-12: { debian: bookworm, python: own, bindep: [constraints] }
  debian-13: { debian: trixie, python: own, bindep: [constraints] }
wheels:
  constraints:
    import: wheel-list
    git: requirements
    file: uc.txt
    bindep: bindep.txt
    maxAge: 0s
    rows: [{ branch: master, for: { debian-12: [cp311], debian-13: [cp313] } }]
`;

let world: WheelListWorld;
beforeEach(async () => {
  world = await aWheelList(FILE);
  lists('oars==2');
  world.index.project('skiff', [sdist('skiff-1.0.tar.gz')]);
  world.index.project('oars', [sdist('oars-2.tar.gz')]);
});
afterEach(() => world.end());

/** Commits a list that wants skiff besides. */
const lists = (text: string, more: Readonly<Record<string, string>> = {}): void =>
  world.commit(`skiff==1.0\n${text}\n`, { 'bindep.txt': 'gcc\n', ...more });
const released = (before: string, after: string): void => {
  expect(FILE).toContain(before);
  writeFileSync(world.file, FILE.replace(before, after));
};
const oars = (...files: readonly Parameters<typeof sdist>[]): void =>
  world.index.project(
    'oars',
    files.map((one) => sdist(...one)),
  );

interface Planned {
  /** `CODE subject` of each finding. */
  readonly findings: readonly string[];
  /** Verdict and reason of rows that are not of skiff. */
  readonly rows: readonly string[];
}

/** Plans, and expects that skiff is built and that each finding has a next step. */
async function planned(): Promise<Planned> {
  const { plan, rows } = await planWithRows(world.file, 'local');
  const builds = plan.steps.flatMap(({ id, kind }) => (kind === 'buildWheel' && id.includes('skiff') ? [id] : []));
  expect(builds).toEqual(['wheels/skiff-1.0/cp311/debian-12', 'wheels/skiff-1.0/cp313/debian-13']);
  const notices = plan.imports!.of.flatMap((one) => one.notices);
  for (const { next, why } of notices)
    expect([next, why]).toEqual([expect.stringMatching(/^[A-Z].*\.$/s), expect.stringMatching(/^\S/)]);
  const others = rows!.rows['wheels/constraints']!.filter(({ subject }) => !subject.startsWith('skiff'));
  return {
    findings: notices.map(({ code, subject }) => `${code} ${subject}`),
    rows: others.map(({ verdict, reason }) => `${verdict}: ${reason}`),
  };
}

/** Problems of planning as `LINE CODE`. */
const refused = async (): Promise<readonly string[]> =>
  planWithRows(world.file, 'local').then(
    () => [],
    (error: SlipwayFailure) =>
      error.problems.map(({ code, place, next }) => {
        expect(next).toMatch(/^[A-Z].*\.$/s);
        return `${place?.line} ${code}`;
      }),
  );

const lineOf = (text: string): number => FILE.split('\n').findIndex((line) => line.includes(text)) + 1;

test.each<[what: string, change: () => void, expected: string]>([
  [
    'a list that no branch has',
    () => released('file: uc.txt', 'file: other.txt'),
    `${lineOf('file: uc.txt')} LIST_ABSENT`,
  ],
  [
    'a branch that is absent',
    () => released('branch: master', 'branch: mastre'),
    `${lineOf('branch: master')} BRANCH_ABSENT`,
  ],
  [
    'a platform without a base beside others that have one',
    () => released(', base: debian-13', ''),
    `${lineOf('debian-13: { debian')} WRONG_VALUE`,
  ],
  [
    'a base whose Python is not the wanted one',
    () => released('debian-13: [cp313]', 'debian-13: [cp312]'),
    `${lineOf('import: wheel-list')} TARGET_PYTHON`,
  ],
  [
    'a base that takes packages of no list',
    () => released('trixie, python: own, bindep: [constraints]', 'trixie, python: own, bindep: [constraint]'),
    `${lineOf('debian-13: { debian')} WRONG_VALUE`,
  ],
])('given %s, planning is refused with the place and the next step', async (_what, change, expected) => {
  change();
  expect(await refused()).toEqual([expected]);
});

const GONE = 'impossible: the index does not have it; the newest are 3';
test.each<[what: string, change: () => void, findings: readonly string[], rows: readonly string[]]>([
  ['a pin twice without markers', () => lists('oars==2\noars==3'), ['LIST_PIN_TWICE oars'], []],
  [
    'a name that JavaScript objects have',
    () => lists('constructor==3.0'),
    [],
    ['impossible: no index has the project'],
  ],
  ['a name that is too long for a file', () => lists(`${'o'.repeat(300)}==2`), ['LIST_LINE master:uc.txt:2'], []],
  ['a nonsense marker', () => lists("oars==2; moon=='full'"), ['LIST_LINE master:uc.txt:2'], []],
  [
    'a range that nothing fits',
    () => lists('oars>=7'),
    [],
    ['impossible: the index does not have it; the newest are 2'],
  ],
  [
    'a known failure that expired',
    () => released('    rows:', '    known: [{ wheel: oars, because: not ready, until: 2020-01-01 }]\n    rows:'),
    ['KNOWN_EXPIRED oars'],
    ['build: sdist only'],
  ],
  [
    'a broken bindep line',
    () => lists('oars==2', { 'bindep.txt': 'gcc\nlibsea-dev [platform:dpkg\n' }),
    ['BINDEP_LINE master:bindep.txt:2'],
    ['build: sdist only'],
  ],
  [
    'a branch without a bindep file',
    () => released('bindep: bindep.txt', 'bindep: other.txt'),
    ['BINDEP_ABSENT master:other.txt'],
    ['build: sdist only'],
  ],
  [
    'an invalid Requires-Python',
    () => oars(['oars-2.tar.gz', { 'requires-python': '>=3.5.*' }]),
    ['REQUIRES_PYTHON_INVALID oars==2'],
    ['build: sdist only'],
  ],
  ['a yanked file', () => oars(['oars-2.tar.gz', { yanked: 'broken' }]), ['PIN_YANKED oars==2'], ['build: sdist only']],
  ['a version that was deleted', () => oars(['oars-3.tar.gz']), [], [GONE]],
  [
    'a file whose bytes are not those of the list',
    () => lists(`oars==2 --hash=sha256:${'b'.repeat(64)}`),
    [],
    ['impossible: the list has no digest of oars-2.tar.gz'],
  ],
  [
    'a file name that reads as another version',
    () => oars(['oars-2-2.tar.gz']),
    [],
    ['impossible: the index does not have it; the newest are 2.post2'],
  ],
  [
    "another project's file on the page",
    () => oars(['oars_extra-2-py3-none-any.whl'], ['oars-2.tar.gz']),
    ['INDEX_FOREIGN_FILES oars'],
    ['build: sdist only'],
  ],
])('given %s, a finding or a row says so, and other wheels are built', async (_what, change, findings, rows) => {
  change();
  expect(await planned()).toEqual({
    findings,
    rows: rows.flatMap((one) => [one, one]),
  });
});

test('given one index twice in the settings of pip, it is asked once for each project', async () => {
  const { address } = world.index;
  writeFileSync(join(world.folder, 'pip.conf'), `[global]\nindex-url = ${address}\nextra-index-url = ${address}\n`);
  expect((await planned()).rows).toEqual(['build: sdist only', 'build: sdist only']);
  expect(world.index.asked.toSorted()).toEqual(['oars', 'skiff']);
});

const page = (response: ServerResponse, body: string | Buffer, type = JSON_PAGE): void => {
  response.setHeader('content-type', type);
  response.end(body);
};
test.each<[what: string, answer: (response: ServerResponse) => void, why: string]>([
  ['a page of 50 MB', (response) => page(response, Buffer.alloc(51 * 2 ** 20, 32)), 'the page is larger than 50 MB'],
  ['HTML for JSON', (response) => page(response, '<html>Log in</html>', 'text/html'), 'lists no files'],
  ['500', (response) => void response.writeHead(500).end(), 'it answers HTTP 500'],
  [
    '429 with a long Retry-After',
    (response) => void response.writeHead(429, { 'retry-after': '86400' }).end(),
    'it answers HTTP 429, try again in 86400 s',
  ],
  [
    'a cut body',
    (response) => {
      response.writeHead(200, { 'content-type': JSON_PAGE, 'content-length': '500' });
      response.write('{"name":"oars","files":[]}', () => response.destroy());
    },
    'the connection broke',
  ],
  ["another project's page", (response) => page(response, '{"name":"seven","files":[]}'), 'of another project, seven'],
])('given %s as the answer of the index, the wheel waits, and other wheels are built', async (_what, answer, why) => {
  world.index.answer('oars', (_, response) => answer(response));
  const { rows } = await planned();
  expect(rows).toEqual([0, 1].map(() => expect.stringMatching(/^unanswered: the index does not answer since .*Z: /)));
  expect(rows[0]).toContain(why);
});

test('given 429 with a short Retry-After, the index is asked again, and the wheel is built', async () => {
  let count = 0;
  world.index.answer('oars', (_, response) => {
    count += 1;
    if (count === 1) return void response.writeHead(429, { 'retry-after': '1' }).end();
    page(response, JSON.stringify({ name: 'oars', files: [sdist('oars-2.tar.gz')] }));
  });
  expect((await planned()).rows).toEqual(['build: sdist only', 'build: sdist only']);
});
