/** @long */
import { importDepsets } from '../../src/features/locks/pure/raydepsets/index.js';
import { type ImportFacts, noFacts } from '../../src/importers/asks.js';
import type { Problem } from '../../src/model/failure.js';
import { catalogueOf, IMPORT, TESTS, withTests } from './ray-files.js';
import { importLists } from './wheel-list/import-lists.js';

/** Small files that would become far more than memory holds. Each ends in seconds, with the place of what multiplies it. */
const lines = (count: number, line: (no: number) => string): string =>
  Array.from({ length: count }, (_, no) => line(no)).join('');

const many = (count: number): string => lines(count, (no) => `${no},`);
const values = (count: number): string => `[${'1,'.repeat(count)}]`;
const ray = (text: string): readonly Problem[] => catalogueOf(withTests(text)).findings;

const TEST = `frequency: nightly, team: core, run: { script: x, timeout: 60 }, cluster: { cluster_compute: compute.yaml }`;

test.each([
  [
    'adjustments of a test with many aliased values',
    `- &v ${values(1_900)}\n- name: a_{{x}}\n  extra: [${'*v,'.repeat(90)}]\n  matrix:\n    setup: { x: [0] }\n    adjustments:\n${lines(900, (no) => `    - with: { x: ${no + 1} }\n`)}`,
    5,
  ],
  [
    'a matrix in each of several tests',
    lines(3, (no) => `- name: a${no}_{{x}}\n  extra: ${values(250)}\n  matrix: { setup: { x: [${many(900)}] } }\n`),
    9,
  ],
  [
    'defaults of many tests',
    `- name: DEFAULTS\n  extra: ${values(50_000)}\n${lines(2_000, (no) => `- name: a${no}\n`)}`,
    null,
  ],
  [
    'variations of a large test',
    `- name: a\n  extra: ${values(50_000)}\n  variations:\n${lines(1_900, (no) => `  - __suffix__: s${no}\n`)}`,
    3,
  ],
  ['a matrix of many variables', `- name: a\n  matrix:\n    setup:\n${lines(3_000, (no) => `      v${no}: [1]\n`)}`, 4],
  [
    'texts that a matrix fills in',
    `- name: a_{{x}}\n  extra: [${`'{{y}}',`.repeat(400)}]\n  matrix: { setup: { y: ['${'z'.repeat(15_000)}'], x: [${many(200)}] } }\n`,
    3,
  ],
])('given %s, then the import of Ray is refused with its limit and its line', (_, text, line) => {
  const found = ray(text).filter(({ code }) => code === 'IMPORT_TOO_LARGE');
  expect(found).toHaveLength(1);
  expect(found[0]!.place).toMatchObject({ file: TESTS, ...(line !== null && { line }) });
  expect(found[0]!.message).toMatch(/exceeds the limit of \d+ values of tests/);
});

test('given a large compute file that many tests read, then the import is refused with its limit', () => {
  const files = {
    ...withTests(lines(300, (no) => `- { name: a${no}, working_dir: d, ${TEST} }\n`)),
    'release/d/compute.yaml': `# ${'x'.repeat(60_000)}\nhead_node: { instance_type: m5 }\n`,
  };
  const { findings } = catalogueOf(files, IMPORT);
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: 'IMPORT_TOO_LARGE',
      message: expect.stringContaining('characters of compute files') as string,
    }),
  );
});

function depsets(text: string): readonly Problem[] {
  const facts = noFacts() as { readonly [K in keyof ImportFacts]: Record<string, unknown> };
  facts.folder['ci'] = ['a.depsets.yaml'];
  facts.text['ci/a.depsets.yaml'] = text;
  const said = importDepsets({ file: 'ci/a.depsets.yaml' }, facts as ImportFacts);
  return 'asks' in said ? [] : said.findings;
}

test.each([
  [
    'a set of variables named many times',
    `build_arg_sets: { a: { V: x } }\ndepsets:\n- name: d\n  operation: compile\n  output: o\n  requirements: [${'r,'.repeat(40_000)}]\n  build_arg_sets: [${'a,'.repeat(40_000)}]\n`,
  ],
  [
    'a variable that grows a text',
    `build_arg_sets: { a: { V: ${'x'.repeat(60_000)} } }\ndepsets:\n- name: d\n  operation: compile\n  output: o\n  requirements: ['${'$V'.repeat(40_000)}']\n  build_arg_sets: [a]\n`,
  ],
  [
    'a chain of expanded depsets',
    `depsets:\n- { name: d0, operation: compile, output: o, requirements: [${lines(8_000, (no) => `r${no},`)}] }\n${lines(1_500, (no) => `- { name: d${no + 1}, operation: expand, output: o${no + 1}, depsets: [d${no}] }\n`)}`,
  ],
])('given depsets with %s, then the import is refused with its limit and its place', (_, text) => {
  expect(depsets(text)).toEqual([
    expect.objectContaining({
      code: 'IMPORT_TOO_LARGE',
      place: expect.objectContaining({ file: 'ci/a.depsets.yaml', line: expect.any(Number) as number }) as object,
    }),
  ]);
});

test('given depsets that all stand on each other, then twenty cycles are named', () => {
  const names = lines(300, (no) => `d${no},`);
  const text = `depsets:\n${lines(300, (no) => `- { name: d${no}, operation: expand, output: o${no}, depsets: [${names}] }\n`)}`;
  const found = depsets(text.slice(0, 250_000).replace(/\n[^\n]*$/, '\n'));
  expect(found.filter(({ code }) => code === 'DEPSETS_CYCLE')).toHaveLength(20);
});

const FOR = { 'debian-12': ['cp39', 'cp310', 'cp311', 'cp312', 'cp313'], 'debian-13': ['cp311', 'cp312', 'cp313'] };
const listed = (text: string, branches: readonly string[]): readonly Problem[] => {
  const rows = branches.map((branch) => ({ branch, for: FOR }));
  const files = { 'uc.txt': text };
  const world = { branches: Object.fromEntries(branches.map((branch) => [branch, files])), index: {} };
  return importLists({ git: 'requirements', file: 'uc.txt', rows }, world).findings;
};

test.each([
  ['of sixteen million characters', () => listed(`${'# filler\n'.repeat(2_000_000)}skiff==1\n`, ['main']), 'main'],
  [
    'of many lines for many targets',
    () =>
      listed(
        lines(16_000, (no) => `p${no}==1\n`),
        ['a', 'b', 'c', 'd'],
      ),
    'd',
  ],
])('given lists %s, then the import is refused with its limit and its line', (_, refused, branch) => {
  expect(refused()).toContainEqual(
    expect.objectContaining({ code: 'IMPORT_TOO_LARGE', place: { file: `${branch}:uc.txt`, line: 1 } }),
  );
});
