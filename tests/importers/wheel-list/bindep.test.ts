import type { BindepAnswer } from '../../../src/importers/asks.js';
import { importLists, type World } from './import-lists.js';

const LIST = { git: '../requirements.git', file: 'uc.txt', bindep: 'bindep.txt' };
const SKIFF = { 'uc.txt': 'skiff==1.0' };
const BOTH = { 'debian-12': ['cp311'], 'debian-13': ['cp313'] };
const DISTRIBUTIONS = {
  'debian-12': { id: 'debian', version: '12', codename: 'bookworm' },
  'debian-13': { id: 'debian', version: '13', codename: 'trixie' },
};
const packages = (...names: readonly string[]): BindepAnswer => ({ packages: names, broken: [] });

/** Imports skiff of branches that have these answers of bindep. */
const imported = (
  bindep: NonNullable<World['bindep']>,
  entry: object = {},
  distributions: World['distributions'] = DISTRIBUTIONS,
) =>
  importLists(
    { ...LIST, rows: [{ branch: '*', for: BOTH }], ...entry },
    {
      branches: Object.fromEntries(Object.keys(bindep).map((branch) => [branch, SKIFF])),
      index: { skiff: ['skiff-1.0.tar.gz'] },
      bindep,
      distributions,
    },
  );

test('given branches with bindep files, a platform gets the packages of all branches that are kept for it', () => {
  const made = imported(
    {
      master: { 'debian-12': packages('libsea-dev'), 'debian-13': packages('libsea-dev', 'libmast-dev') },
      next: { 'debian-12': packages('libkeel-dev', 'libsea-dev'), 'debian-13': packages('never') },
      old: { 'debian-12': packages('ended'), 'debian-13': packages('ended') },
    },
    {
      rows: [
        { branch: 'master', for: BOTH },
        { branch: 'next', for: { 'debian-12': ['cp311'] } },
        { branch: 'old', for: BOTH, until: '2026-01-01' },
      ],
    },
  );
  expect(made.packages).toEqual({
    'debian-12': ['libkeel-dev', 'libsea-dev'],
    'debian-13': ['libmast-dev', 'libsea-dev'],
  });
  expect(made.notices).toEqual([]);
});

test('given an import, bindep is asked for the profile compile, and for distributions whose bases take packages alone', () => {
  const { asked } = imported({ master: { 'debian-12': packages() } }, {}, { 'debian-12': DISTRIBUTIONS['debian-12'] });
  expect(asked.filter(({ ask }) => ask === 'bindep')).toEqual([
    {
      ...{ ask: 'bindep', git: LIST.git, commit: 'commit of master', path: 'bindep.txt' },
      ...{ platform: DISTRIBUTIONS['debian-12'], profiles: ['compile'] },
    },
  ]);
});

test('given a branch without the file, it gives no packages, and one finding says so; the others count', () => {
  const made = imported({ master: { 'debian-12': packages('libsea-dev'), 'debian-13': packages() }, next: {} });
  expect(made.packages).toEqual({ 'debian-12': ['libsea-dev'], 'debian-13': [] });
  expect(made.notices).toMatchObject([{ code: 'BINDEP_ABSENT', level: 'warning', subject: 'next:bindep.txt' }]);
  expect(made.entries).toHaveLength(2);
});

test('given broken lines, each is an error with its place once, and the other lines and wheels count', () => {
  const broken = [
    { line: 3, text: 'libmast-dev [platform:dpkg' },
    { line: 7, text: 'https://user:word@example.invalid/x' },
  ];
  const answer = { packages: ['libsea-dev'], broken };
  const made = imported({ master: { 'debian-12': answer, 'debian-13': answer } });
  expect(made.notices).toMatchObject([
    { code: 'BINDEP_LINE', level: 'error', subject: 'master:bindep.txt:3' },
    { code: 'BINDEP_LINE', level: 'error', subject: 'master:bindep.txt:7' },
  ]);
  expect(JSON.stringify(made.notices)).not.toContain('word');
  expect(made.packages!['debian-12']).toEqual(['libsea-dev']);
  expect(made.entries).toHaveLength(2);
});

test.each(['/usr/bin/ldd', 'Foo-devel', 'x_y'])(
  'given the name %j, which no Debian package has, it is left out and told',
  (name) => {
    const answer = packages('libsea-dev', name);
    const made = imported({ master: { 'debian-12': answer, 'debian-13': packages() } });
    expect(made.packages!['debian-12']).toEqual(['libsea-dev']);
    expect(made.notices).toMatchObject([{ code: 'BINDEP_PACKAGE', level: 'error', subject: 'master:bindep.txt' }]);
    expect(made.notices![0]!.why).toContain(name);
  },
);

test('given no key `bindep`, bindep is not asked and no platform gets packages', () => {
  const { asked, packages: none } = imported({ master: {} }, { bindep: undefined });
  expect(asked.filter(({ ask }) => ask === 'bindep')).toEqual([]);
  expect(none).toEqual({});
});
