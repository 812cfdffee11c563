import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { basePackageProblems } from '../../src/plan/base-packages.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';

const GOOD = {
  import: 'wheel-list',
  git: '../requirements',
  file: 'uc.txt',
  rows: [{ branch: 'stable/*', newest: 2, for: { 'debian-12': ['cp311'] }, until: '2026-12-31' }],
};
const fileWith = (entry: object, platforms: object = { 'debian-12': { like: 'linux-x86_64', libc: '2.36' } }): string =>
  JSON.stringify({
    ...{ slipway: 1, pipeline: { name: 'wheels', label: 'minute' }, platforms },
    wheels: { constraints: entry },
  });

function messagesOf(text: string): readonly string[] {
  try {
    readReleaseFile(text, 'slipway.yaml');
    return [];
  } catch (error) {
    return (error as SlipwayFailure).problems.map(({ path = '', message }) => `${path}: ${message}`);
  }
}

test.each([
  ['a list', GOOD],
  ['wants alone', { import: 'wheel-list', wants: ['lxml>=5,<7'], for: { 'debian-12': ['cp311'] } }],
  [
    'all keys',
    {
      ...{
        ...GOOD,
        ignore: { 'unmaintained/*': 'no job runs' },
        never: ['pip'],
        only: ['lxml'],
        maxAge: '1h',
        timeout: '20m',
      },
      with: { 'lxml==5.3.0': { packages: ['libxml2-dev'], env: { CFLAGS: '-g0' } } },
      known: [{ wheel: 'lxml', on: ['debian-12'], because: 'newer headers', until: '2027-01-31' }],
    },
  ],
])('given an import with %s and no source of the file, then the file is sound', (_what, entry) =>
  expect(messagesOf(fileWith(entry))).toEqual([]),
);

test.each([
  ['neither list nor wants', { import: 'wheel-list' }, 'name a list by `git` and `file`, or requirements by `wants`'],
  [
    'a repository without a file',
    { ...GOOD, file: undefined, wants: ['a'], for: {} },
    '`git` and `file` name a list together',
  ],
  ['a file without a repository', { ...GOOD, git: undefined }, '`git` and `file` name a list together'],
  ['a list without rows', { ...GOOD, rows: [] }, 'name at least one branch of the list'],
  ['wants without targets', { import: 'wheel-list', wants: ['lxml'] }, 'name the targets of `wants`'],
  [
    'a day that does not exist',
    { ...GOOD, rows: [{ ...GOOD.rows[0], until: '2026-13-01' }] },
    'a day is a year, a month and a day',
  ],
  [
    'a Python that is no tag',
    { ...GOOD, rows: [{ branch: 'a', for: { 'debian-12': ['3.11'] } }] },
    'a Python is written as its tag',
  ],
  ['an unknown key', { ...GOOD, newest: 2 }, 'newest'],
  ['a known failure without a reason', { ...GOOD, known: [{ wheel: 'lxml', until: '2027-01-31' }] }, 'because'],
])('given an import with %s, then the file is refused with the place', (_what, entry, message) => {
  const messages = messagesOf(fileWith(entry));
  expect(messages[0]).toContain('wheels.constraints');
  expect(messages.join('\n')).toContain(message);
});

test('given the file of docs/wheel-lists.md, then it is sound', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'wheel-lists.md'), 'utf8');
  const [, text = ''] = /^```yaml\n([^]*?)^```$/m.exec(page) ?? [];
  expect(text).toContain('import: wheel-list');
  expect(messagesOf(text)).toEqual([]);
});

test('given a last day of a platform that is none, then the file is refused', () => {
  const messages = messagesOf(fileWith(GOOD, { 'debian-12': { like: 'linux-x86_64', until: 'soon' } }));
  expect(messages.join('\n')).toContain('a day is a year, a month and a day');
});

const SHELF = {
  platforms: { 'debian-12': { like: 'linux-x86_64', libc: '2.36', base: 'deb' } },
  bases: { deb: { debian: 'bookworm', bindep: ['constraints'] } },
  entry: { ...GOOD, bindep: 'bindep.txt' },
};
const shelfProblems = (change: Partial<Record<keyof typeof SHELF, object>>): readonly string[] => {
  const { platforms, bases, entry } = { ...SHELF, ...change };
  const text = JSON.stringify({ ...(JSON.parse(fileWith(entry, platforms)) as object), bases });
  return basePackageProblems(readReleaseFile(text, 'slipway.yaml')).map(
    ({ path, message, place }) => `${path}${place === undefined ? ' nowhere' : ''}: ${message}`,
  );
};

test.each<[what: string, change: Partial<Record<keyof typeof SHELF, object>>, problems: readonly string[]]>([
  ['a base that takes the packages of a list', {}, []],
  [
    'a base that names no list',
    { bases: { deb: { debian: 'bookworm', bindep: ['constraint', 'constraints'] } } },
    ['bases.deb.bindep[0]: "constraint" is no list of `wheels`; did you mean "constraints"?'],
  ],
  ['a list without the key', { entry: GOOD }, ['bases.deb.bindep[0]: wheels.constraints has no key "bindep"']],
  [
    'a base of no platform',
    { platforms: { 'debian-12': { like: 'linux-x86_64' } } },
    ['bases.deb.bindep: no platform has this base'],
  ],
  [
    'a release of Debian that is unknown',
    { bases: { deb: { debian: 'sid', bindep: ['constraints'] } } },
    ['bases.deb.debian: "sid" is no Debian release whose number is known'],
  ],
  [
    'a list whose packages no base takes',
    { bases: { deb: { debian: 'bookworm' } } },
    ['wheels.constraints.bindep: no base takes the packages of the file'],
  ],
])('given %s, its problems have their places', (_what, change, problems) =>
  expect(shelfProblems(change)).toEqual(problems),
);

test('given `bindep` without a repository, or of a base that is an image, then the file is refused', () => {
  const wants = { import: 'wheel-list', wants: ['lxml'], for: { 'debian-12': ['cp311'] }, bindep: 'bindep.txt' };
  expect(messagesOf(fileWith(wants)).join('\n')).toContain('`bindep` is a file of the repository `git`');
  const bases = { deb: { image: `debian@sha256:${'a'.repeat(64)}`, bindep: ['constraints'] } };
  const text = JSON.stringify({ ...(JSON.parse(fileWith(GOOD)) as object), bases });
  expect(messagesOf(text).join('\n')).toContain('bindep');
});
