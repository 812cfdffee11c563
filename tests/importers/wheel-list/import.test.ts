import { entryName } from '../../../src/importers/wheel-list/entry-name.js';
import { wheelList } from '../../../src/importers/wheel-list/index.js';
import { DIGEST, importLists } from './import-lists.js';

const LIST = { git: '../requirements.git', file: 'uc.txt' };
const FOR = { 'debian-12': ['cp311'] };
const SKIFF = { 'uc.txt': 'skiff==1.0' };
const INDEX = { skiff: ['skiff-1.0.tar.gz'], oars: ['oars-2.zip'] };

/** Branches whose lists want the first row. */
const branchesIn = (made: ReturnType<typeof importLists>): string => {
  const [row] = made.rows ?? [];
  return row?.reason.split(' · ')[1] ?? row?.origin?.file.split(':')[0] ?? '';
};

test('given `newest: 2`, the two newest series are read, letters before dates, and no other', () => {
  const names = ['stable/zed', 'stable/2023.1', 'stable/2026.1', 'stable/2025.2', 'master'];
  const branches = Object.fromEntries(names.map((name) => [name, SKIFF]));
  const rows = [{ branch: 'stable/*', newest: 2, for: FOR }];
  const made = importLists({ ...LIST, rows, ignore: { master: 'not yet' } }, { branches, index: INDEX });
  expect(branchesIn(made)).toBe('stable/2025.2, stable/2026.1');
  expect(made.notices).toEqual([]);
  const read = made.asked.flatMap((ask) => (ask.ask === 'file' ? [ask.commit] : []));
  expect(read).toEqual(['commit of stable/2025.2', 'commit of stable/2026.1']);
});

test('given an ignored branch, a pattern of a row does not take it, and a row of its own name does', () => {
  const branches = { 'stable/2025.1': SKIFF, 'stable/2026.1': SKIFF };
  const ignore = { 'stable/2025.1': 'nobody runs it' };
  const rows = [{ branch: 'stable/*', for: FOR }];
  expect(branchesIn(importLists({ ...LIST, rows, ignore }, { branches, index: INDEX }))).toBe('stable/2026.1');
  const both = [...rows, { branch: 'stable/2025.1', for: FOR }];
  expect(branchesIn(importLists({ ...LIST, rows: both, ignore }, { branches, index: INDEX }))).toBe(
    'stable/2026.1, stable/2025.1',
  );
});

test('given a branch that neither rows nor ignore names, a finding says so', () => {
  const branches = { master: SKIFF, 'stable/2026.2': SKIFF };
  const made = importLists({ ...LIST, rows: [{ branch: 'master', for: FOR }] }, { branches, index: INDEX });
  expect(made.notices).toMatchObject([{ code: 'BRANCH_UNLISTED', subject: 'stable/2026.2', level: 'warning' }]);
  expect(made.notices![0]!.next).toContain('wheels.constraints.rows');
});

test.each([
  ['a branch without the file', { master: { 'other.txt': '' } }, [{ branch: 'master', for: FOR }], 'LIST_ABSENT'],
  [
    'a file that wants nothing',
    { master: { 'uc.txt': '# nothing\n-e .' } },
    [{ branch: 'master', for: FOR }],
    'LIST_EMPTY',
  ],
  ['a row whose branch is absent', { master: SKIFF }, [{ branch: 'mastre', for: FOR }], 'BRANCH_ABSENT'],
  ['a pattern that no branch matches', { master: SKIFF }, [{ branch: 'stable/*', for: FOR }], 'BRANCH_ABSENT'],
  ['an unknown platform', { master: SKIFF }, [{ branch: 'master', for: { 'debian-21': ['cp311'] } }], 'TARGET_UNKNOWN'],
  [
    'a platform without glibc',
    { master: SKIFF },
    [{ branch: 'master', for: { 'macos-arm64': ['cp311'] } }],
    'TARGET_WITHOUT_GLIBC',
  ],
])('given %s, the import fails with a code and a place', (_what, branches, rows, code) => {
  const made = importLists({ ...LIST, rows }, { branches, index: INDEX });
  expect(made.findings).toMatchObject([{ code, class: 'config', place: { file: 'slipway.yaml' } }]);
  expect(made.entries).toEqual([]);
});

test.each(['skiff=>1', '-r other.txt', 'skiff @ https://user:word@example.invalid/x.whl', ''])(
  'given the want %j, the import fails with its place',
  (text) => {
    const wants = ['oars', text || '!'];
    const made = importLists({ wants, for: FOR }, { branches: {}, index: INDEX });
    expect(made.findings).toMatchObject([{ code: 'WANT_UNREADABLE' }]);
    expect(JSON.stringify(made.findings)).not.toContain('word');
  },
);

test('given rows to build, each version is a source and a wheel for its targets, with its recipe and its place', () => {
  const branches = {
    master: { 'uc.txt': "skiff==1.0\n\nOars==2; python_version=='3.11'" },
    next: { 'uc.txt': 'skiff==1.0+deb.1' },
  };
  const made = importLists(
    {
      ...LIST,
      rows: [
        { branch: 'master', for: { 'debian-12': ['cp311'], 'debian-13': ['cp311', 'cp313'] } },
        { branch: 'next', for: FOR },
      ],
      with: {
        skiff: { packages: ['libsea-dev'], build: ['setuptools<80'], env: { CFLAGS: '-g0' } },
        'skiff==1.0': { packages: ['libmast-dev'] },
      },
    },
    { branches, index: { ...INDEX, skiff: ['skiff-1.0.tar.gz', 'skiff-1.0+deb.1.tar.gz'] } },
  );
  expect(made.findings).toEqual([]);
  const byName = Object.fromEntries(made.entries.map((one) => [`${one.section ?? 'wheels'}/${one.name}`, one]));
  expect(Object.keys(byName)).toEqual([
    ...['sources/oars-2', 'wheels/oars-2', 'sources/skiff-1.0', 'wheels/skiff-1.0'],
    ...['sources/skiff-1.0_deb.1', 'wheels/skiff-1.0_deb.1'],
  ]);
  expect(byName['sources/oars-2']!.entry).toEqual({ sdist: 'oars==2', sha256: DIGEST, file: 'oars-2.zip' });
  expect(byName['wheels/oars-2']).toMatchObject({
    origin: { file: 'master:uc.txt', line: 3 },
    entry: {
      source: 'oars-2',
      project: 'oars',
      platforms: ['debian-12', 'debian-13'],
      pythons: ['cp311'],
      repair: false,
    },
  });
  expect(byName['wheels/skiff-1.0']!.entry).toEqual({
    ...{ source: 'skiff-1.0', project: 'skiff', repair: false },
    accept: { PLATFORM_TAG_REFUSED: 'the wheel is for this distribution alone' },
    ...{ lock: 'own', requires: ['setuptools<80'], sameAs: 'first', retryFailed: '7d' },
    ...{ platforms: ['debian-12', 'debian-13'], pythons: ['cp311', 'cp313'] },
    exclude: [{ platform: 'debian-12', python: 'cp313' }],
    packages: ['libmast-dev', 'libsea-dev'],
    env: { CFLAGS: '-g0' },
  });
});

test('given `system: carry`, auditwheel repairs the wheels, and their tag is not accepted as it is', () => {
  const made = importLists({ wants: ['oars==2'], for: FOR, system: 'carry' }, { branches: {}, index: INDEX });
  const { entry } = made.entries.find(({ section }) => section === undefined)!;
  expect(entry['repair']).toEqual({ exclude: [] });
  expect(entry).not.toHaveProperty('accept');
});

test('given a platform whose base builds with another Python, the import fails with both Pythons', () => {
  const made = importLists(
    { wants: ['oars==2'], for: { 'debian-11': ['cp39', 'cp311'] } },
    { branches: {}, index: INDEX },
  );
  expect(made.findings).toMatchObject([{ code: 'TARGET_PYTHON', class: 'config', place: { file: 'slipway.yaml' } }]);
  expect(made.findings[0]!.message).toContain('for cp39, and cp311 is wanted');
});

test('given pins and a range, the index is asked once, for exact versions and for all, and not for what is never built', () => {
  const branches = { master: { 'uc.txt': 'skiff==1.0\nOars\npip==24' }, next: { 'uc.txt': 'skiff===1.1' } };
  const rows = [{ branch: '*', for: FOR }];
  const { asked } = importLists({ ...LIST, rows, never: ['pip'], maxAge: '1h' }, { branches, index: INDEX });
  expect(asked.filter(({ ask }) => ask === 'index')).toEqual([
    {
      ask: 'index',
      projects: [
        { name: 'skiff', versions: ['1.0', '1.1'] },
        { name: 'oars', versions: 'all' },
      ],
      maxAgeMs: 3_600_000,
    },
  ]);
});

test('given keys that name projects no list wants, answers that are late, foreign files and a yanked pin, findings say so', () => {
  const page = {
    state: 'files',
    askedAt: '2026-11-22T10:00:00Z',
    late: 'HTTP 503',
    newest: [],
    foreign: ['hull-1.tar.gz'],
  } as const;
  const sdist = { file: 'skiff-1.0.tar.gz', version: '1.0', sha256: DIGEST, size: 1, uploadedAt: null };
  const files = [{ ...sdist, requiresPython: '>=3.5.*', yanked: 'broken' }];
  const made = importLists(
    { ...LIST, rows: [{ branch: 'master', for: FOR }], with: { skif: {} } },
    { branches: { master: SKIFF }, index: { skiff: { ...page, files } } },
  );
  expect(made.notices!.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
    'NAME_UNLISTED skif',
    'PIN_YANKED skiff==1.0',
    'INDEX_LATE 1 project',
    'REQUIRES_PYTHON_INVALID skiff==1.0',
    'INDEX_FOREIGN_FILES skiff',
  ]);
  expect(made.notices![0]!.why).toContain('did you mean "skiff"?');
});

test('given projects that the index has not answered about, one finding names them and says why', () => {
  const silent = { state: 'unanswered', since: '2026-11-22T10:00:00Z', why: 'HTTP 503' } as const;
  const text = 'skiff==1.0\noars==2\nkeel==3';
  const made = importLists(
    { ...LIST, rows: [{ branch: 'master', for: FOR }], never: ['keel'] },
    { branches: { master: { 'uc.txt': text } }, index: { ...INDEX, oars: silent, keel: silent } },
  );
  expect(made.notices).toMatchObject([
    {
      ...{ code: 'INDEX_UNANSWERED', level: 'warning', subject: '1 project' },
      why: 'the index has not answered about "oars" (HTTP 503), so none of their wheels is built',
    },
  ]);
});

test.each([
  ['is down', 'HTTP 503', /^Plan again once the index answers/],
  ['is not asked offline', 'planned with --offline', /^Plan again without --offline/],
])('given an index that %s, then the next line of both findings fits', (_, why, next) => {
  const late = { state: 'absent', askedAt: '2026-11-22T10:00:00Z', late: why } as const;
  const silent = { state: 'unanswered', since: '2026-11-22T10:00:00Z', why } as const;
  const made = importLists(
    { ...LIST, rows: [{ branch: 'master', for: FOR }] },
    { branches: { master: { 'uc.txt': 'skiff==1.0\noars==2' } }, index: { skiff: late, oars: silent } },
  );
  expect(made.notices).toHaveLength(2);
  expect(made.notices).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: 'INDEX_LATE', next: expect.stringMatching(next) }),
      expect.objectContaining({ code: 'INDEX_UNANSWERED', next: expect.stringMatching(next) }),
    ]),
  );
});

test('given an address with a password in a line, no finding shows it', () => {
  const branches = { master: { 'uc.txt': 'skiff==1.0\nhttps://user:word@example.invalid/x-1.whl' } };
  const made = importLists({ ...LIST, rows: [{ branch: 'master', for: FOR }] }, { branches, index: INDEX });
  expect(made.notices).toMatchObject([{ code: 'LIST_LINE_LEFT_OUT' }]);
  expect(JSON.stringify(made)).not.toContain('word');
});

test('given more findings than a plan holds, errors come first, and the rest is counted', () => {
  const text = ['skiff==1.0', ...Array.from({ length: 120 }, (_, index) => `-e ./part${index}`), 'skiff=>2'].join('\n');
  const made = importLists(
    { ...LIST, rows: [{ branch: 'master', for: FOR }] },
    { branches: { master: { 'uc.txt': text } }, index: INDEX },
  );
  expect(made.notices).toHaveLength(101);
  expect(made.notices![0]).toMatchObject({ code: 'LIST_LINE', level: 'error' });
  expect(made.notices!.at(-1)).toMatchObject({ code: 'MORE_FINDINGS', subject: '21 findings' });
});

test('given two imports that want one version for other targets, both entries become one with all variants', () => {
  const made = (platform: string, python: string, recipe = {}) =>
    importLists(
      { wants: ['skiff==1.0'], for: { [platform]: [python] }, with: { skiff: recipe } },
      { branches: {}, index: INDEX },
    );
  const [source, wheel] = made('debian-12', 'cp311').entries;
  const [again, other] = made('debian-13', 'cp313').entries;
  expect(wheelList.merge!(source!, again!)).toEqual(source);
  expect(wheelList.merge!(wheel!, other!)!.entry).toMatchObject({
    ...{ platforms: ['debian-12', 'debian-13'], pythons: ['cp311', 'cp313'] },
    exclude: [
      { platform: 'debian-12', python: 'cp313' },
      { platform: 'debian-13', python: 'cp311' },
    ],
  });
  const [sea, lake] = ['libsea-dev', 'liblake-dev'].map(
    (name) => made('debian-13', 'cp313', { packages: [name] }).entries[1]!,
  );
  expect(wheelList.merge!(wheel!, sea!)!.entry).toMatchObject({ packages: ['libsea-dev'] });
  expect(wheelList.merge!(sea!, lake!)).toBeNull();
  const flagged = made('debian-13', 'cp313', { packages: ['libsea-dev'], env: { CFLAGS: '-g0' } }).entries[1]!;
  expect(wheelList.merge!(sea!, flagged)).toBeNull();
  expect(wheelList.merge!(flagged, sea!)).toBeNull();
  const [early, late] = ['2026-01-01', '2026-11-01'].map((cutoff) => ({
    ...other!,
    entry: { ...other!.entry, cutoff },
  }));
  expect(wheelList.merge!(wheel!, early!)!.entry).toMatchObject({ cutoff: '2026-01-01' });
  expect(wheelList.merge!(early!, late!)).toBeNull();
});

test('given a project with a long name, then its versions are entries of their own, of 80 characters', () => {
  const project = 'oar'.repeat(30);
  const names = ['1.0', '1.1'].map((version) => entryName({ project, version }));
  expect(names.map((name) => name.slice(76))).toEqual(['-1.0', '-1.1']);
  expect(names.map(({ length }) => length)).toEqual([80, 80]);
});
