import type { Tried } from '../../../src/importers/importer.js';
import { importLists, rowTexts, type World } from './import-lists.js';

const STEP = 'wheels/skiff-1.0/cp311/debian-12';
const ENTRY = {
  ...{ git: '../requirements.git', file: 'uc.txt' },
  rows: [{ branch: 'master', for: { 'debian-12': ['cp311'] } }],
};
const KNOWN = { wheel: 'skiff==1.0', because: 'needs newer headers', until: '2027-01-31' };
const FAILED: Tried = {
  ...{ run: 'run-1', at: '2026-11-20T10:00:00.000Z', until: '2026-11-27T10:00:00.000Z', isSame: true },
  ...{ code: 'BUILD_FAILED', message: 'krb5-config: not found' },
};
const BUILD = 'build: sdist only';
const FAILURE = 'BUILD_FAILED: krb5-config: not found (2026-11-20T10:00Z; not tried again before 2026-11-27T10:00Z)';
const BEFORE = `failed before: ${FAILURE}; \`slipway logs ${STEP} --run run-1\``;

function judged(tries: World['tries'], entry: object = {}) {
  const branches = { master: { 'uc.txt': 'skiff==1.0' } };
  const made = importLists({ ...ENTRY, ...entry }, { branches, index: { skiff: ['skiff-1.0.tar.gz'] }, tries });
  const wheel = made.entries.find(({ section }) => section === undefined)?.entry ?? null;
  const [text = ''] = rowTexts(made);
  return { ...made, text: text.replace('skiff==1.0 debian-12 cp311: ', ''), wheel };
}
const known = (over: object = {}): object => ({ known: [{ ...KNOWN, ...over }] });

test.each<[string, World['tries'], object, string]>([
  ['failed', { [STEP]: FAILED }, {}, BEFORE],
  ['failed too long ago', { [STEP]: { ...FAILED, until: null } }, {}, BUILD],
  ['failed by another recipe', { [STEP]: { ...FAILED, isSame: false } }, {}, BUILD],
  ['failed for another Python', { [STEP.replace('cp311', 'cp313')]: FAILED }, {}, BUILD],
  ['never failed', {}, {}, BUILD],
  ['failed and is known', { [STEP]: FAILED }, known(), 'known: needs newer headers (until 2027-01-31)'],
  [
    'failed long ago and is known',
    { [STEP]: { ...FAILED, until: null } },
    known(),
    'known: needs newer headers (until 2027-01-31)',
  ],
  ['is known and was never tried', {}, known(), 'known: needs newer headers (until 2027-01-31)'],
  ['is known by another recipe', { [STEP]: { ...FAILED, isSame: false } }, known(), BUILD],
  ['is known elsewhere', { [STEP]: FAILED }, known({ on: ['debian-13'] }), BEFORE],
  ['is known no longer', { [STEP]: FAILED }, known({ until: '2026-11-21' }), BEFORE],
  ['is known, before planning knows the failures', null, known(), BUILD],
  ['failed, before planning knows the failures', null, {}, BUILD],
])('given a build that %s, then it is built or not by the first rule that applies', (_what, tries, entry, expected) => {
  const { text, wheel } = judged(tries, entry);
  expect(text).toBe(expected);
  expect(wheel !== null).toBe(expected === BUILD);
});

test('given a known failure that is built all the same, then its failure is tolerated', () => {
  const { tolerated } = judged({ [STEP]: { ...FAILED, isSame: false } }, known());
  expect(tolerated).toEqual({ [STEP]: '`known` lists it: needs newer headers' });
  expect(judged({}).tolerated).toEqual({});
});

test('given a version that failed for two targets alike, then one finding names both, its log and what to do', () => {
  const rows = [{ branch: 'master', for: { 'debian-12': ['cp311'], 'debian-13': ['cp313'] } }];
  const tries = { [STEP]: FAILED, [STEP.replace('cp311/debian-12', 'cp313/debian-13')]: FAILED };
  const { notices } = judged(tries, { rows });
  expect(notices).toMatchObject([{ code: 'FAILED_BEFORE', subject: 'skiff==1.0', level: 'warning' }]);
  expect(notices![0]!.why).toContain('(debian-12 cp311, debian-13 cp313)');
  expect(notices![0]!.next).toContain(`Read \`slipway logs ${STEP} --run run-1\``);
  expect(notices![0]!.next).toContain('`wheels.constraints.known`');
});

test('given a build that failed before, then its row names the entry that it would be', () =>
  expect(judged({ [STEP]: FAILED }).rows).toMatchObject([{ verdict: 'failed before', entry: 'wheels/skiff-1.0' }]));
