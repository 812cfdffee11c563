import { DIGEST, importLists, rowTexts, type World } from './import-lists.js';

const SDIST = 'skiff-1.0.tar.gz';
const ONE = { git: '../requirements.git', file: 'uc.txt' };
const ROWS = [{ branch: 'master', for: { 'debian-12': ['cp311'] } }];
const PINNED: World['branches'] = { master: { 'uc.txt': 'skiff==1.0' } };

/** The verdict about skiff==1.0 on Debian 12 with Python 3.11. */
function verdictOf(page: World['index'][string], entry: object = {}, branches = PINNED): string {
  const made = importLists({ ...ONE, rows: ROWS, ...entry }, { branches, index: { skiff: page } });
  expect(made.findings).toEqual([]);
  const [text = 'no row', ...others] = rowTexts(made);
  expect(others).toEqual([]);
  return text.replace('skiff==1.0 debian-12 cp311: ', '');
}

test.each([
  ['a wheel for any platform', ['skiff-1.0-py3-none-any.whl', SDIST], 'upstream: skiff-1.0-py3-none-any.whl'],
  [
    'a wheel for an older Python and any platform',
    ['skiff-1.0-py36-none-any.whl'],
    'upstream: skiff-1.0-py36-none-any.whl',
  ],
  [
    'an abi3 wheel',
    ['skiff-1.0-cp38-abi3-manylinux_2_28_x86_64.whl'],
    'upstream: skiff-1.0-cp38-abi3-manylinux_2_28_x86_64.whl',
  ],
  ['an sdist', [SDIST], 'build: sdist only'],
  ['a zip sdist', ['skiff-1.0.zip'], 'build: sdist only'],
  [
    'wheels for another Python',
    ['skiff-1.0-cp312-cp312-manylinux2014_x86_64.whl', 'skiff-1.0-cp39-cp39-manylinux2014_x86_64.whl', SDIST],
    'build: 2 wheels, none for cp311; the nearest is cp312-cp312-manylinux2014_x86_64',
  ],
  [
    'wheels for a newer glibc',
    ['skiff-1.0-cp311-cp311-manylinux_2_39_x86_64.whl', SDIST],
    'build: 1 wheel, none for cp311 on debian-12; the nearest is cp311-cp311-manylinux_2_39_x86_64',
  ],
  [
    'wheels for another Python and no sdist',
    ['skiff-1.0-cp312-cp312-manylinux2014_x86_64.whl'],
    'impossible: 1 wheel, none for cp311; the nearest is cp312-cp312-manylinux2014_x86_64; there is no sdist',
  ],
  ['other versions alone', ['skiff-0.9.tar.gz'], 'impossible: the index does not have it; the newest are 9.0'],
  [
    'an sdist without a digest',
    [{ file: SDIST, sha256: null }],
    'impossible: the index has no sha256 of skiff-1.0.tar.gz',
  ],
  ['no page', { state: 'absent', askedAt: '', late: null }, 'impossible: no index has the project'],
  [
    'no answer',
    { state: 'unanswered', since: '2026-11-22T10:00:00Z', why: 'HTTP 503' },
    'unanswered: the index does not answer since 2026-11-22T10:00:00Z: HTTP 503',
  ],
  ['files for newer Pythons', [{ file: SDIST, requiresPython: '>=3.12' }], 'left out: Requires-Python is >=3.12'],
  [
    'an invalid Requires-Python, which installers ignore',
    [{ file: SDIST, requiresPython: '>=3.5.*' }],
    'build: sdist only',
  ],
  ['a yanked file', [{ file: SDIST, yanked: 'broken' }], 'build: sdist only'],
  [
    'a wheel of it with a local label',
    [{ file: 'skiff-1.0+sea.1-py3-none-any.whl', version: '1.0' }, SDIST],
    'upstream: skiff-1.0+sea.1-py3-none-any.whl',
  ],
  [
    'an sdist of it with a local label alone',
    [{ file: 'skiff-1.0+sea.1.tar.gz', version: '1.0' }],
    'impossible: the index has no sdist of exactly this version, but skiff-1.0+sea.1.tar.gz',
  ],
  ['a file of another project', ['skiff-extra-1.0-py3-none-any.whl', SDIST], 'build: sdist only'],
  ['a file that is no wheel and no sdist', ['skiff-1.0.exe', SDIST], 'build: sdist only'],
] as const)('given that the index has %s, the first rule that applies decides about the pin', (_what, page, expected) =>
  expect(verdictOf(page as World['index'][string])).toBe(expected),
);

test.each([
  ['it is in `never`', { never: ['Skiff'] }, 'left out: `never` names it'],
  ['`only` names others', { only: ['oars'] }, 'left out: `only` does not name it'],
  ['the row ended', { rows: [{ ...ROWS[0], until: '2026-11-21' }] }, 'left out: master ended on 2026-11-21'],
  ['today is the last day of the row', { rows: [{ ...ROWS[0], until: '2026-11-22' }] }, 'build: sdist only'],
  [
    'it is known to fail',
    { known: [{ wheel: 'skiff==1.0', because: 'needs newer headers', until: '2027-01-31' }] },
    'known: needs newer headers (until 2027-01-31)',
  ],
  [
    'it is known to fail elsewhere',
    { known: [{ wheel: 'skiff', on: ['debian-13'], because: 'needs newer headers', until: '2027-01-31' }] },
    'build: sdist only',
  ],
  [
    'another version is known to fail',
    { known: [{ wheel: 'skiff==1.1', because: 'needs newer headers', until: '2027-01-31' }] },
    'build: sdist only',
  ],
])(
  'given an sdist and that %s, the pin is left out, known or built by the first rule that applies',
  (_what, entry, expected) => expect(verdictOf([SDIST], entry)).toBe(expected),
);

test('given a known failure whose wheel the index has, the wheel of the index goes first', () => {
  const known = [{ wheel: 'skiff', because: 'needs newer headers', until: '2027-01-31' }];
  expect(verdictOf(['skiff-1.0-py3-none-any.whl'], { known })).toBe('upstream: skiff-1.0-py3-none-any.whl');
});

test('given a known failure that expired, it is built again, and a finding says so', () => {
  const known = [{ wheel: 'skiff', because: 'needs newer headers', until: '2026-11-21' }];
  const made = importLists({ ...ONE, rows: ROWS, known }, { branches: PINNED, index: { skiff: [SDIST] } });
  expect(rowTexts(made)).toEqual(['skiff==1.0 debian-12 cp311: build: sdist only']);
  expect(made.notices).toMatchObject([{ code: 'KNOWN_EXPIRED', subject: 'skiff', level: 'warning' }]);
});

test.each([
  ['its marker is false', "skiff==1.0; python_version<'3.9'", 'left out: its marker is false here'],
  ['its marker is true', "skiff==1.0; sys_platform=='linux'", 'build: sdist only'],
  ['it is pinned as text', 'skiff===1.0', 'build: sdist only'],
  ['its hash is that of the sdist', `skiff==1.0 --hash=sha256:${DIGEST}`, 'build: sdist only'],
  [
    'its hash is another one',
    `skiff==1.0 --hash=sha256:${'e'.repeat(64)}`,
    'impossible: the list has no digest of skiff-1.0.tar.gz',
  ],
])('given a line and that %s, the row says so', (_what, line, expected) =>
  expect(verdictOf([SDIST], {}, { master: { 'uc.txt': line } })).toBe(expected),
);

test.each([
  ['that text', 'skiff-1.0.tar.gz', 'build: sdist only'],
  [
    'the same version as another text',
    'skiff-1.0.0.tar.gz',
    'impossible: the index does not have it; the newest are 9.0',
  ],
])('given a pin as text and an sdist whose name has %s, then texts decide', (_what, file, expected) => {
  const branches = { master: { 'uc.txt': 'skiff===1.0' } };
  expect(verdictOf([{ file, version: '1.0' }] as never, {}, branches)).toBe(expected);
});

test('given sdists of a pin with and without a local label, then the one without is built', () => {
  const page = [{ file: 'skiff-1.0+sea.1.tar.gz', version: '1.0' }, SDIST];
  const made = importLists({ ...ONE, rows: ROWS }, { branches: PINNED, index: { skiff: page } });
  expect(made.entries.map(({ entry }) => entry['file'])).toEqual([SDIST, undefined]);
});

test.each([
  ['excludes older patch releases', '>=3.7,!=3.9.0,!=3.9.1', '', 'build: sdist only'],
  ['excludes its Python', '>=3.7,!=3.9.2', '', 'left out: Requires-Python is >=3.7,!=3.9.2'],
  ['a newer Python than that of the base is for', '>=3.9.3', '', 'left out: Requires-Python is >=3.9.3'],
  ['has a marker of its whole version', '>=3.7', "; python_full_version>='3.9.1'", 'build: sdist only'],
])(
  'given a base with Python 3.9.2 and an sdist that %s, that version decides',
  (_what, requiresPython, marker, expected) => {
    const rows = [{ branch: 'master', for: { 'debian-11': ['cp39'] } }];
    const branches = { master: { 'uc.txt': `skiff==1.0${marker}` } };
    const made = importLists({ ...ONE, rows }, { branches, index: { skiff: [{ file: SDIST, requiresPython }] } });
    expect(rowTexts(made)).toEqual([`skiff==1.0 debian-11 cp39: ${expected}`]);
  },
);

test('given one name with two markers, each target has the version of its line', () => {
  const branches = { master: { 'uc.txt': "skiff==1.0; python_version<'3.12'\nskiff==2.0; python_version>='3.12'" } };
  const made = importLists(
    { ...ONE, rows: [{ branch: 'master', for: { 'debian-12': ['cp311'], 'debian-13': ['cp313'] } }] },
    { branches, index: { skiff: [SDIST, 'skiff-2.0.tar.gz'] } },
  );
  expect(rowTexts(made)).toEqual([
    'skiff==1.0 debian-12 cp311: build: sdist only',
    'skiff==1.0 debian-13 cp313: left out: its marker is false here',
    'skiff==2.0 debian-12 cp311: left out: its marker is false here',
    'skiff==2.0 debian-13 cp313: build: sdist only',
  ]);
});

test('given one name that is pinned twice without markers, neither is built, and one finding has both lines', () => {
  const made = importLists(
    { ...ONE, rows: [{ branch: 'master', for: { 'debian-12': ['cp311'], 'debian-13': ['cp313'] } }] },
    { branches: { master: { 'uc.txt': 'skiff==1.0\noars==3\nskiff==2.0' } }, index: { oars: ['oars-3.tar.gz'] } },
  );
  expect(rowTexts(made).map((text) => text.split(':')[0])).toEqual([
    'oars==3 debian-12 cp311',
    'oars==3 debian-13 cp313',
  ]);
  expect(made.notices).toMatchObject([{ level: 'error', code: 'LIST_PIN_TWICE', subject: 'skiff' }]);
  expect(made.notices![0]!.why).toContain(
    '1.0 and 2.0 for debian-12 cp311, debian-13 cp313 (master:uc.txt:1, master:uc.txt:3)',
  );
});

test.each([
  [
    'a pin and a range that excludes it',
    { 'uc.txt': 'skiff==1.0,<1.0' },
    'impossible: no version is ==1.0,<1.0 (master:uc.txt:1)',
  ],
  [
    'a pin that its -c list excludes',
    { 'uc.txt': 'skiff==1.0\n-c held.txt', 'held.txt': 'skiff<1.0' },
    'impossible: no version is ==1.0,<1.0 (master:uc.txt:1, master:held.txt:1)',
  ],
  [
    'a pin by text and a range that excludes it',
    { 'uc.txt': 'skiff===1.0,<1.0' },
    'impossible: no version is ===1.0,<1.0 (master:uc.txt:1)',
  ],
  [
    'a pin by a text that is no version and a range',
    { 'uc.txt': 'skiff===1.0-sea,<2' },
    'impossible: no version is ===1.0-sea,<2 (master:uc.txt:1)',
  ],
  ['a pin and a range that admits it', { 'uc.txt': 'skiff==1.0,<2' }, 'upstream: skiff-1.0-py3-none-any.whl'],
  ['a pin twice in other spellings', { 'uc.txt': 'skiff==1\nskiff===1.0' }, 'upstream: skiff-1.0-py3-none-any.whl'],
])('given %s, the row says so, whatever the index has', (_what, files, expected) => {
  const page = ['skiff-1.0-py3-none-any.whl', 'skiff-0.9.tar.gz'];
  const made = importLists({ ...ONE, rows: ROWS }, { branches: { master: files }, index: { skiff: page } });
  expect(rowTexts(made).map((text) => text.replace(/^.*? cp311: /, ''))).toEqual([expected]);
});

test.each([
  ['the hash of its -c list is another one', 'e', 'impossible: the list has no digest of skiff-1.0.tar.gz'],
  ['the hash of its -c list is that of the sdist', 'd', 'build: sdist only'],
])('given a line and that %s, the row says so', (_what, digit, expected) => {
  const held = `skiff==1.0 --hash=sha256:${digit.repeat(64)}`;
  const files = { 'uc.txt': `skiff --hash=sha256:${DIGEST}\n-c held.txt`, 'held.txt': held };
  expect(verdictOf([SDIST], {}, { master: files })).toBe(expected);
});

test('given the same pin on two branches, it is one row that names both', () => {
  const pinned = { 'uc.txt': 'skiff==1.0' };
  const made = importLists(
    { ...ONE, rows: [{ branch: '*', for: { 'debian-12': ['cp311'] } }] },
    { branches: { master: pinned, next: pinned }, index: { skiff: [SDIST] } },
  );
  expect(rowTexts(made)).toEqual(['skiff==1.0 debian-12 cp311: build: sdist only · master, next']);
});

test('given the same pin on a branch that ended and on one that is kept, it is built', () => {
  const pinned = { 'uc.txt': 'skiff==1.0' };
  const rows = [
    { branch: 'master', for: { 'debian-12': ['cp311'] } },
    { branch: 'next', for: { 'debian-12': ['cp311'] }, until: '2026-01-01' },
  ];
  const made = importLists({ ...ONE, rows }, { branches: { master: pinned, next: pinned }, index: { skiff: [SDIST] } });
  expect(rowTexts(made)).toEqual(['skiff==1.0 debian-12 cp311: build: sdist only · master, next']);
});

test.each([
  [
    'the newest version is taken',
    ['skiff-1.0.tar.gz', 'skiff-1.10.tar.gz', 'skiff-1.9.tar.gz'],
    'skiff==1.10 debian-12 cp311: build: sdist only',
  ],
  ['no pre-release', ['skiff-1.0.tar.gz', 'skiff-1.1rc1.tar.gz'], 'skiff==1.0 debian-12 cp311: build: sdist only'],
  [
    'none that was yanked',
    ['skiff-1.0.tar.gz', { file: 'skiff-1.1.tar.gz', yanked: '' }],
    'skiff==1.0 debian-12 cp311: build: sdist only',
  ],
  [
    'no yanked wheel of its newest version',
    [{ file: 'skiff-1.0-py3-none-any.whl', yanked: 'broken' }, 'skiff-1.0.tar.gz'],
    'skiff==1.0 debian-12 cp311: build: sdist only',
  ],
  [
    'none for other Pythons',
    ['skiff-1.0.tar.gz', { file: 'skiff-1.1.tar.gz', requiresPython: '>=3.12' }],
    'skiff==1.0 debian-12 cp311: build: sdist only',
  ],
  [
    'nothing outside the range',
    ['skiff-1.0.tar.gz', 'skiff-2.0.tar.gz'],
    'skiff==1.0 debian-12 cp311: build: sdist only',
  ],
  [
    'nothing fits',
    ['skiff-2.0.tar.gz'],
    'skiff>=1,<2 debian-12 cp311: impossible: the index does not have it; the newest are 9.0',
  ],
])('given a wanted range, %s', (_what, page, expected) => {
  const made = importLists(
    { wants: ['skiff>=1, <2'], for: { 'debian-12': ['cp311'] } },
    { branches: {}, index: { skiff: page } },
  );
  expect(rowTexts(made)).toEqual([`${expected}`]);
});

test('given a range in the list and a pin in its -c list, the pin counts', () => {
  const branches = { master: { 'uc.txt': 'skiff\n-c held.txt', 'held.txt': 'skiff==1.0\noars==3' } };
  const made = importLists({ ...ONE, rows: ROWS }, { branches, index: { skiff: [SDIST, 'skiff-2.0.tar.gz'] } });
  expect(rowTexts(made)).toEqual(['skiff==1.0 debian-12 cp311: build: sdist only']);
});
