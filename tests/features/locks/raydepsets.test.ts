import { importDepsets, type DepsetsImport } from '../../../src/features/locks/pure/raydepsets/index.js';
import { type ImportFacts, noFacts } from '../../../src/importers/asks.js';
import type { ImportedEntry } from '../../../src/model/imported-entry.js';
import { optionsOf } from '../../../src/features/locks/pure/raydepsets/flags.js';
import type { Depset } from '../../../src/features/locks/pure/raydepsets/depset.js';
import type { Problem } from '../../../src/model/failure.js';

type Files = Readonly<Record<string, string>>;
const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.');

/** Answers what an importer asks from these files, as planning does; counts the rounds. */
function imported(files: Files, entry: Partial<DepsetsImport> = {}) {
  const asked = { file: 'ci/a.depsets.yaml', ...entry };
  const facts = noFacts() as { readonly [K in keyof ImportFacts]: Record<string, unknown> };
  for (let rounds = 1; rounds <= 10; rounds += 1) {
    const said = importDepsets(asked, facts as ImportFacts);
    if (!('asks' in said)) return { ...said, rounds };
    for (const { ask, path } of said.asks) {
      const inside = Object.keys(files).filter((file) => folderOf(file) === path);
      if (ask === 'text') facts.text[path] = files[path] ?? null;
      if (ask === 'present') facts.present[path] = path in files;
      if (ask === 'folder')
        facts.folder[path] =
          inside.length > 0 ? inside.map((file) => file.slice(path === '.' ? 0 : path.length + 1)) : null;
    }
  }
  throw new Error('the importer never ends');
}

const HEAD = `build_arg_sets:
  py310: { V: '3.10', S: '310' }
  py311: { V: '3.11', S: '311' }
depsets:
`;
const ALL = `  - name: all_\${S}
    operation: compile
    requirements: [b.in, a.in]
    constraints: [limits.txt]
    packages: ['six==1.16']
    output: locks/all_\${V}.lock
    append_flags: ['--python-version=\${V}', --unsafe-package ray]
    build_arg_sets: [py310, py311]
`;
const OTHERS = `  - name: part_\${S}
    operation: subset
    source_depset: all_\${S}
    requirements: [a.in]
    output: locks/part_\${V}.lock
    append_flags: ['--python-version=\${V}']
    include_setuptools: true
    build_arg_sets: [py310]
  - name: more
    operation: expand
    depsets: [all_310, all_311]
    requirements: [c.in]
    output: locks/more.lock
    override_flags: ['--index-strategy first-index']
  - name: less
    operation: relax
    source_depset: more
    packages: [six]
    output: locks/less.lock
  - name: again
    operation: expand
    depsets: [less]
    output: locks/again.lock
`;
const SOURCES: Files = { 'a.in': '', 'b.in': '', 'c.in': '', 'limits.txt': '' };
const entriesOf = (files: Files, entry?: Partial<DepsetsImport>): Readonly<Record<string, ImportedEntry>> => {
  const { entries, findings } = imported(files, entry);
  expect(findings).toEqual([]);
  return Object.fromEntries(entries.map((one) => [one.name, one]));
};

test('given depsets, then each is an entry with the options, files and edges of the upstream tool', () => {
  const made = entriesOf({ ...SOURCES, 'ci/a.depsets.yaml': HEAD + ALL + OTHERS }, { drift: 'bytes' });
  const usual = [
    '--no-header',
    '--generate-hashes',
    '--index-strategy unsafe-best-match',
    '--no-strip-markers',
    '--emit-index-url',
    '--emit-find-links',
  ];
  expect(Object.keys(made)).toEqual(['all_310', 'all_311', 'part_310', 'more', 'less', 'again']);
  expect(made['all_311']!.entry).toEqual({
    platform: 'none',
    pythons: ['cp311'],
    in: ['a.in', 'b.in'],
    requires: ['six==1.16'],
    constraints: ['limits.txt'],
    options: [...usual, '--unsafe-package setuptools', '--python-version=3.11', '--unsafe-package ray'],
    lock: 'locks/all_3.11.lock',
    write: 'exact',
    drift: 'bytes',
    needs: [],
  });
  expect(made['part_310']!.entry).toMatchObject({
    in: ['a.in'],
    constraints: ['locks/all_3.10.lock'],
    options: [...usual, '--python-version=3.10'],
    needs: ['deps/all_310[*]'],
  });
  expect(made['more']!.entry).toMatchObject({
    python: 'none',
    in: ['a.in', 'b.in', 'c.in'],
    requires: [],
    constraints: [],
    options: expect.arrayContaining(['--index-strategy first-index']),
    needs: ['deps/all_310[*]', 'deps/all_311[*]'],
  });
  expect(made['less']!.entry).toMatchObject({
    tool: 'relax',
    in: ['locks/more.lock'],
    without: ['six'],
    needs: ['deps/more[*]'],
  });
  expect(made['again']!.entry).toMatchObject({ in: ['locks/less.lock'], needs: ['deps/less[*]'] });
});

test('given an imported entry, then it remembers its file and lines', () => {
  const made = entriesOf({ ...SOURCES, 'ci/a.depsets.yaml': HEAD + ALL });
  expect(made['all_310']!.origin).toMatchObject({ file: 'ci/a.depsets.yaml', line: 5 });
  expect(made['all_310']!.places['options']).toMatchObject({ file: 'ci/a.depsets.yaml', line: 11 });
});

test('given a selected depset, then the depsets that it needs are imported too, from other files as well', () => {
  const files = {
    ...SOURCES,
    'ci/a.depsets.yaml': `depsets:\n  - { name: top, operation: subset, source_depset: all_310, requirements: [a.in], output: top.lock }\n  - { name: other, operation: compile, requirements: [a.in], output: other.lock }\n`,
    'ci/b.depsets.yaml': HEAD + ALL,
  };
  expect(Object.keys(entriesOf(files, { only: ['t*p'] }))).toEqual(['top', 'all_310']);
  expect(Object.keys(entriesOf(files))).toEqual(['top', 'other', 'all_310']);
  expect(Object.keys(entriesOf(files, { file: 'ci/*.depsets.yaml' }))).toHaveLength(4);
});

test('given YAML anchors, then they are merged as upstream merges them', () => {
  const text = `.common: &common\n  append_flags: [--python-version=3.12]\n  output: x.lock\ndepsets:\n  - <<: *common\n    name: x\n    operation: compile\n    packages: [six]\n`;
  expect(entriesOf({ 'ci/a.depsets.yaml': text })['x']!.entry).toMatchObject({ pythons: ['cp312'], lock: 'x.lock' });
});

test('given a depset with a pre-hook, then it and its expansions are left out, and its committed lock replaces it', () => {
  const hooked = ALL.replace('    constraints', "    pre_hooks: ['ci/build.sh 3']\n    constraints");
  const files = {
    ...SOURCES,
    'ci/a.depsets.yaml': HEAD + hooked + OTHERS,
    'locks/all_3.10.lock': '',
    'locks/more.lock': '',
  };
  const made = entriesOf(files);
  expect(made['all_310']!.because).toMatch(/pre-hook "ci\/build\.sh 3" is a script/);
  expect(made['more']!.because).toMatch(/it expands all_310, which is left out/);
  expect(made['part_310']).toMatchObject({ because: null, entry: { constraints: ['locks/all_3.10.lock'], needs: [] } });
  expect(imported({ ...SOURCES, 'ci/a.depsets.yaml': HEAD + hooked + OTHERS }).findings).toMatchObject([
    { code: 'DEPSETS_FILE_ABSENT', message: expect.stringContaining('locks/all_3.10.lock') },
    { code: 'DEPSETS_FILE_ABSENT', message: expect.stringContaining('locks/more.lock') },
  ]);
});

test('given a depset that reads outside the source, then it is left out with the reason', () => {
  const files = { ...SOURCES, 'ci/a.depsets.yaml': HEAD + ALL.replace('limits.txt', '/tmp/deps/limits.txt') };
  expect(entriesOf(files)['all_310']!.because).toMatch(/^"\/tmp\/deps\/limits\.txt" lies outside the source/);
});

const said = ({ code, place }: Problem): string => `${code} ${place?.file}:${place?.line}`;

test('given mistakes in several files, then all are reported at once, with their places', () => {
  const text = `depsets:
  - { name: a, operation: subset, source_depset: b, output: a.lock }
  - { name: b, operation: relax, source_depset: a, output: b.lock }
  - { name: c, operation: merge, output: c.lock }
  - { name: d, operation: compile, output: a.lock, packages: [x] }
  - { name: d, operation: compile, output: d.lock, packages: [x] }
  - { name: e, operation: expand, depsets: [nowhere], output: e.lock }
  - { name: f, operation: compile, output: f.lock, requirement: [x] }
  - { name: 'g h', operation: compile, output: g.lock, packages: [x] }
  - { name: i, operation: compile, output: i.lock, packages: x }
  - { name: k, operation: subset, output: k.lock }
  - { name: 'l\${V}', operation: compile, output: 'l\${W}.lock', build_arg_sets: [one, two], packages: [x] }
  - just a text
build_arg_sets: { one: { V: 1 } }
`;
  const { findings } = imported({ 'ci/a.depsets.yaml': text, 'ci/b.depsets.yaml': 'depsets: [' });
  expect(findings.map(said).sort()).toEqual([
    'DEPSETS_BAD_NAME ci/a.depsets.yaml:9',
    'DEPSETS_CYCLE ci/a.depsets.yaml:2',
    'DEPSETS_KEY_MISSING ci/a.depsets.yaml:11',
    'DEPSETS_NAME_TWICE ci/a.depsets.yaml:6',
    'DEPSETS_NOT_YAML ci/b.depsets.yaml:1',
    'DEPSETS_TWO_WRITERS ci/a.depsets.yaml:5',
    'DEPSETS_UNKNOWN_ARG_SET ci/a.depsets.yaml:12',
    'DEPSETS_UNKNOWN_DEPSET ci/a.depsets.yaml:7',
    'DEPSETS_UNKNOWN_KEY ci/a.depsets.yaml:8',
    'DEPSETS_UNKNOWN_OPERATION ci/a.depsets.yaml:4',
    'DEPSETS_UNKNOWN_VARIABLE ci/a.depsets.yaml:12',
    'DEPSETS_WRONG_TYPE ci/a.depsets.yaml:10',
    'DEPSETS_WRONG_TYPE ci/a.depsets.yaml:13',
  ]);
  expect(findings.find(({ code }) => code === 'DEPSETS_CYCLE')!.message).toContain('a → b → a');
});

test('given two depset files that write one lock, then the problem names both places', () => {
  const one = (name: string) => `depsets: [{ name: ${name}, operation: compile, packages: [x], output: x.lock }]\n`;
  const { findings } = imported({ 'ci/a.depsets.yaml': one('a'), 'ci/b.depsets.yaml': `# b\n${one('b')}` });
  expect(findings.map(said)).toEqual(['DEPSETS_TWO_WRITERS ci/b.depsets.yaml:2']);
  expect(findings[0]!.message).toContain('ci/a.depsets.yaml:1');
});

test('given files missing from the commit, then all are reported at once, at the lines that name them', () => {
  const { findings } = imported({ 'ci/a.depsets.yaml': HEAD + ALL, 'a.in': '' });
  expect(new Set(findings.map(said))).toEqual(
    new Set(['DEPSETS_FILE_ABSENT ci/a.depsets.yaml:7', 'DEPSETS_FILE_ABSENT ci/a.depsets.yaml:8']),
  );
});

test.each<[string, Files, Partial<DepsetsImport>, string]>([
  ['a missing file', { 'ci/b.depsets.yaml': '' }, {}, 'DEPSETS_ABSENT'],
  ['a missing folder', {}, {}, 'DEPSETS_ABSENT'],
  ['unknown depset names', { 'ci/a.depsets.yaml': HEAD + ALL }, { only: ['x*'] }, 'DEPSETS_NOTHING_CHOSEN'],
  ['an empty file', { 'ci/a.depsets.yaml': '' }, {}, 'DEPSETS_NOTHING_CHOSEN'],
  ['a list', { 'ci/a.depsets.yaml': 'depsets: 7\n' }, {}, 'DEPSETS_WRONG_TYPE'],
  [
    'aliases that multiply',
    {
      'ci/a.depsets.yaml': `a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d]\nf: [*e, *e, *e, *e, *e, *e, *e]\n`,
    },
    {},
    'DEPSETS_NOT_YAML',
  ],
  ['brackets without end', { 'ci/a.depsets.yaml': `a: ${'['.repeat(20_000)}` }, {}, 'DEPSETS_NOT_YAML'],
  ['a file without end', { 'ci/a.depsets.yaml': '#'.repeat(2_000_000) }, {}, 'DEPSETS_NOT_YAML'],
  [
    'a subset of other files',
    { ...SOURCES, 'ci/a.depsets.yaml': (HEAD + ALL + OTHERS).replace('requirements: [a.in]', 'requirements: [c.in]') },
    {},
    'DEPSETS_NOT_A_SUBSET',
  ],
])('given %s, then it is reported', (_, files, entry, code) =>
  expect(imported(files, entry).findings[0]).toMatchObject({ code, next: expect.stringMatching(/./) }),
);

test('given a long chain of depsets and a pattern of many stars, then the import ends', () => {
  const chain = Array.from(
    { length: 1000 },
    (_, no) => `  - { name: n${no}, operation: expand, depsets: [n${no + 1}], output: '${no}.lock' }\n`,
  );
  const end = `  - { name: n1000, operation: compile, packages: [x], pre_hooks: [x.sh], output: end.lock }\n`;
  const { entries } = imported(
    { 'ci/a.depsets.yaml': `depsets:\n${chain.join('')}${end}` },
    { only: [`n${'*0*'.repeat(40)}1`, 'n999'] },
  );
  expect(entries.map(({ name }) => name)).toEqual(['n999', 'n1000']);
});

test('given an overridden flag, then its value is replaced too, as upstream does', () => {
  const one = { setuptools: true, override: ['--no-header', '--emit-index-url'], append: ['--index https://x/y'] };
  expect(optionsOf(one as unknown as Depset)).toEqual([
    ...[
      '--index-strategy unsafe-best-match',
      '--no-strip-markers',
      '--no-header',
      '--emit-index-url',
      '--index https://x/y',
    ],
  ]);
});
