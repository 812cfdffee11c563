import { answersFrom, noAnswers } from '../../../src/adapters/facts/answers.js';
import { type Ask, bindepKey, fileKey, type ImportFacts } from '../../../src/importers/index.js';

const FILE = { git: '../requirements.git', commit: 'a'.repeat(40), path: 'upper-constraints.txt' };
const BINDEP = {
  ...{ ...FILE, path: 'bindep.txt', profiles: ['compile'] },
  platform: { id: 'debian', version: '12', codename: 'bookworm' },
};
const RECORD: ImportFacts = {
  text: { 'a.txt': 'a' },
  folder: { b: null },
  present: { c: true },
  id: { d: null },
  changed: { main: { base: 'a'.repeat(40), paths: ['a'], near: {} } },
  branches: { [FILE.git]: { master: FILE.commit } },
  file: { [fileKey(FILE)]: 'six===1.17.0\n' },
  bindep: { [bindepKey(BINDEP)]: { packages: ['gcc'], broken: [] } },
  index: { six: { state: 'absent', askedAt: '2026-11-22T00:00:00.000Z', late: null } },
  today: { UTC: '2026-11-22' },
  ours: { 'debian-12': { cache: { wheels: [], findings: [] } } },
  pure: { ['e'.repeat(64)]: [{ file: 'six-1.17.0-py3-none-any.whl', requires: [], env: {}, packages: [] }] },
};
const ASKS: readonly Ask[] = [
  { ask: 'text', path: 'a.txt' },
  { ask: 'folder', path: 'b' },
  { ask: 'present', path: 'c' },
  { ask: 'id', path: 'd' },
  { ask: 'changed', since: 'main', globs: [] },
  { ask: 'branches', git: FILE.git },
  { ask: 'file', ...FILE },
  { ask: 'bindep', ...BINDEP },
  { ask: 'index', projects: [{ name: 'six', versions: ['1.17.0'] }], maxAgeMs: 0 },
  { ask: 'today' },
  { ask: 'ours', platform: 'debian-12' },
  { ask: 'pure', sdists: ['e'.repeat(64)] },
];
const absent = (key: string): never => {
  throw new Error(`no answer: ${key}`);
};

test('given the facts of a former plan, then each question has its former answer', async () => {
  const answers = noAnswers();
  await answersFrom(RECORD, absent)(ASKS, answers);
  expect(answers).toEqual(RECORD);
});

test.each(ASKS)('given facts without it, then the question $ask is refused', async (ask) => {
  await expect(answersFrom({}, absent)([ask], noAnswers())).rejects.toThrow(/^no answer: /);
});
