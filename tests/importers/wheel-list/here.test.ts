import { importLists, rowTexts, type World } from './import-lists.js';

const SDIST = 'skiff-1.0.tar.gz';
const BOTH = { 'debian-12': ['cp311'], 'debian-13': ['cp313'] };
const ENTRY = { git: '../requirements.git', file: 'uc.txt', rows: [{ branch: 'master', for: BOTH }] };
const PINNED: World['branches'] = { master: { 'uc.txt': 'skiff==1.0' } };
const NATIVE = 'skiff-1.0-cp311-cp311-linux_x86_64.whl';
const SINCE = 'since 2026-11-20';

/** Verdicts about skiff==1.0, by platform, and what is built. */
function judged(ours: World['ours'] = {}, over: Partial<World> = {}, entry: object = {}) {
  const made = importLists({ ...ENTRY, ...entry }, { branches: PINNED, index: { skiff: [SDIST] }, ours, ...over });
  expect(made.findings).toEqual([]);
  const texts = rowTexts(made).map((text) => text.replace('skiff==1.0 ', ''));
  return { texts, entries: made.entries, notices: made.notices ?? [], asked: made.asked };
}

const old = 'debian-12 cp311';
const young = 'debian-13 cp313';
const BUILD = 'build: sdist only';

test('given a wheel of ours for each target, then nothing is built', () => {
  const mine = { 'debian-12': [NATIVE], 'debian-13': ['skiff-1.0-cp313-cp313-linux_x86_64.whl'] };
  const { texts, entries } = judged(mine);
  expect(texts).toEqual([
    `${old}: here: ${NATIVE}, ${SINCE}`,
    `${young}: here: skiff-1.0-cp313-cp313-linux_x86_64.whl, ${SINCE}`,
  ]);
  expect(entries).toEqual([]);
});

test.each([
  ['another version', 'skiff-1.0.1-cp311-cp311-linux_x86_64.whl', BUILD],
  ['another spelling of the version', 'skiff-1.0.0-cp311-cp311-linux_x86_64.whl', null],
  ['another project', 'skiffs-1.0-cp311-cp311-linux_x86_64.whl', BUILD],
  ['another Python', 'skiff-1.0-cp312-cp312-linux_x86_64.whl', BUILD],
  ['a newer glibc', 'skiff-1.0-cp311-cp311-manylinux_2_39_x86_64.whl', BUILD],
  ['the stable ABI', 'skiff-1.0-cp38-abi3-linux_x86_64.whl', null],
  ['every platform', 'skiff-1.0-py3-none-any.whl', null],
  ['a newer Python only', { file: 'skiff-1.0-py3-none-any.whl', requiresPython: '>=3.12' }, BUILD],
  [
    'another sdist',
    { file: NATIVE, from: { source: `sha256:${'e'.repeat(64)}`, lock: null, base: null } },
    `build: ours was built from another ${SDIST}`,
  ],
  ['an unknown sdist', { file: NATIVE, from: { source: null, lock: null, base: null } }, null],
  ['a name that is no wheel', 'skiff.whl', BUILD],
] as const)('given a wheel of ours for %s, then it serves the target or another is built', (_what, wheel, build) => {
  const file = typeof wheel === 'string' ? wheel : wheel.file;
  const { texts } = judged({ 'debian-12': [wheel as string] });
  expect(texts[0]).toBe(`${old}: ${build ?? `here: ${file}, ${SINCE}`}`);
});

test('given two builds of one wheel, then the one with the highest build tag is here', () => {
  const first = 'skiff-1.0-cp311-cp311-linux_x86_64.whl';
  const { texts } = judged({
    'debian-12': ['skiff-1.0-10-cp311-cp311-linux_x86_64.whl', first, NATIVE.replace('1.0-', '1.0-9-')],
  });
  expect(texts[0]).toBe(`${old}: here: skiff-1.0-10-cp311-cp311-linux_x86_64.whl, ${SINCE}`);
});

test('given a wheel upstream too, then it goes before ours', () => {
  const index = { skiff: [SDIST, 'skiff-1.0-py3-none-any.whl'] };
  expect(judged({ 'debian-12': [NATIVE] }, { index }).texts[0]).toBe(`${old}: upstream: skiff-1.0-py3-none-any.whl`);
});

test.each<[string, World['index'][string]]>([
  ['does not answer', { state: 'unanswered', since: '2026-11-22T10:00:00Z', why: 'HTTP 503' }],
  ['lost the project', { state: 'absent', askedAt: '', late: null }],
  ['lost the sdist', ['skiff-0.9.tar.gz']],
])('given an index that %s, then a wheel of ours is here all the same', (_what, skiff) =>
  expect(judged({ 'debian-12': [NATIVE] }, { index: { skiff } }).texts[0]).toBe(`${old}: here: ${NATIVE}, ${SINCE}`),
);

test('given a pure wheel for one platform, then the other takes the known wheel and builds none of its own', () => {
  const { texts, entries } = judged({ 'debian-12': ['skiff-1.0-py3-none-any.whl'] });
  expect(texts).toEqual([`${old}: here: skiff-1.0-py3-none-any.whl, ${SINCE}`, `${young}: ${BUILD}`]);
  const wheel = entries.find(({ section }) => section === undefined)!;
  expect(wheel.entry).toMatchObject({
    platforms: ['debian-12', 'debian-13'],
    pythons: ['cp311', 'cp313'],
    sameAs: 'first',
  });
  expect(wheel.entry['exclude']).toEqual([
    { platform: 'debian-12', python: 'cp313' },
    { platform: 'debian-13', python: 'cp311' },
  ]);
});

test('given an extension for one platform, then the other builds alone', () => {
  const wheel = judged({ 'debian-12': [NATIVE] }).entries.find(({ section }) => section === undefined)!;
  expect(wheel.entry).toMatchObject({ platforms: ['debian-13'], pythons: ['cp313'] });
});

test('given an import, then each platform of its rows is asked about once', () => {
  const asked = judged().asked.filter(({ ask }) => ask === 'ours');
  expect(asked).toEqual([
    { ask: 'ours', platform: 'debian-12' },
    { ask: 'ours', platform: 'debian-13' },
  ]);
});

test('given a wheel that is known to fail and that ours has, then it is here, and a finding says that it passes', () => {
  const known = [{ wheel: 'skiff==1.0', because: 'needs newer headers', until: '2027-01-31' }];
  const { texts, notices } = judged({ 'debian-12': [NATIVE] }, {}, { known });
  expect(texts).toEqual([
    `${old}: here: ${NATIVE}, ${SINCE}`,
    `${young}: known: needs newer headers (until 2027-01-31)`,
  ]);
  expect(notices).toMatchObject([{ code: 'KNOWN_PASSES', subject: 'skiff==1.0', level: 'warning' }]);
  expect(notices[0]!.why).toContain('debian-12 cp311');
});
