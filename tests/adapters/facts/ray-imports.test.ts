/** @slow */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expanded } from '../../../src/adapters/facts/expanded.js';
import { gatherFacts, plan as planned, planWithRows } from '../../../src/adapters/facts/index.js';
import type { Past } from '../../../src/activities/plan/ports.js';
import { sha256 } from '../../../src/adapters/sha256.js';
import { digestOf } from '../../../src/model/digest.js';
import type { Given } from '../../../src/model/plan.js';
import type { Standings } from '../../../src/model/tests/standing.js';
import type { SourceFacts } from '../../../src/adapters/facts/imports.js';
import { NO_RUNS } from '../../support/no-runs.js';

const EXAMPLE = join(__dirname, '..', '..', '..', 'examples', 'ray-night');
const root = mkdtempSync(join(tmpdir(), 'slipway-ray-imports-'));
const home = process.env['SLIPWAY_HOME'];
beforeAll(() => (process.env['SLIPWAY_HOME'] = join(root, 'home')));
afterAll(() => {
  if (home === undefined) delete process.env['SLIPWAY_HOME'];
  else process.env['SLIPWAY_HOME'] = home;
  rmSync(root, { recursive: true });
});

/** A repository with the example at its top, and a release file beside it that takes all tests of a night. */
function cloned(change: (text: string) => string = (text) => text): string {
  const folder = mkdtempSync(join(root, 'case-'));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', join(folder, 'ray'), '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  cpSync(EXAMPLE, join(folder, 'ray'), { recursive: true });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--date=2026-11-22T00:00:00Z', '-m', 'all');
  const text = readFileSync(join(EXAMPLE, 'slipway.yaml'), 'utf8').replace(/ +match: .*node_killed.*\n/, '');
  const file = join(folder, 'slipway.yaml');
  rmSync(join(folder, 'ray', 'slipway.yaml'));
  const source = '{ git: ray }';
  writeFileSync(
    file,
    change(text.replace('label: date', 'label: X1').replace('{ git: ../.., folder: examples/ray-night }', source)),
  );
  return file;
}

const plan = (file: string, profile: string, given: Given = {}, past: Past = NO_RUNS, before?: SourceFacts | null) =>
  planned(file, profile, given, past, before);

/** Tests that the example does not import. */
const BY_HAND = ['tests/stops_writing/cp311/linux-x86_64', 'tests/two_of_three'];
const testsOf = (steps: readonly { readonly id: string; readonly stage: string }[]): readonly string[] =>
  steps.flatMap(({ id, stage }) => (stage === 'tests' ? [id] : []));

test('given an import, when its expanded text is planned, then the plan has the same steps', async () => {
  const file = cloned();
  const made = await plan(file, 'local');
  const text = await expanded(file, 'local', undefined, null, NO_RUNS);
  expect(text).toContain('  # release/release_tests.yaml:19\n  spread:\n');
  writeFileSync(file, text);
  const again = await plan(file, 'local');
  expect(again.steps).toEqual(made.steps);
  expect(testsOf(made.steps)).toHaveLength(41);
  expect(made.imports!.of).toMatchObject([{ id: 'tests/night', from: 'ray', entries: 38 }]);
});

test('given a selection on the command line, then the plan records it, and it replaces that of the file', async () => {
  const file = cloned();
  const given: Given = { tests: { where: ['team:data'], frequency: 'any' } };
  const made = await plan(file, 'local', given);
  expect(made.given).toEqual(given);
  expect(testsOf(made.steps)).toHaveLength(10);
  const one = await plan(file, 'local', { tests: { only: ['tests/many_tasks'] } });
  expect(testsOf(one.steps)).toEqual(['tests/many_tasks/cp311/linux-x86_64']);
  await expect(plan(file, 'local', { tests: { only: ['tests/many_task'] } })).rejects.toMatchObject({
    problems: [{ code: 'UNKNOWN_ENTRY', message: expect.stringContaining('did you mean "tests/many_tasks"') }],
  });
});

test('given an import, when it is planned, then one document has a row for each test, and the plan has its digest and counts', async () => {
  const file = cloned();
  const { plan: made, rows } = await planWithRows(file, 'local', { tests: { only: ['tests/many_tasks'] } }, NO_RUNS);
  expect(made.imports!.rows).toBe(digestOf(rows, sha256));
  const all = rows!.rows['tests/night']!;
  expect(all.filter(({ verdict }) => verdict === 'taken').map(({ subject }) => subject)).toEqual(['many_tasks']);
  expect(Object.values(made.imports!.of[0]!.counts).reduce((sum, count) => sum + count, 0)).toBe(all.length);
  expect(made.assumed).toHaveLength(39);
});

test('given a jailed test, when the filter state:jailed is given, then it alone is planned, and again from the facts', async () => {
  const file = cloned();
  const night = { state: 'jailed', jail: { owner: 'core', until: '2999-01-01T00:00:00Z', reason: '', by: null } };
  const standings = async () => ({ tests: { 'many_tasks@cp311': { ...night, issue: null } } }) as unknown as Standings;
  const past = { ...NO_RUNS, standings };
  const given: Given = { tests: { where: ['state:jailed'], frequency: 'any' } };
  const { source } = await gatherFacts(file, 'local', process.cwd(), given, past);
  const jailed = (await plan(file, 'local', given, past)).steps;
  expect(testsOf(jailed)).toEqual(['tests/many_tasks/cp311/linux-x86_64', ...BY_HAND]);
  const later = await plan(file, 'local', given, undefined, source);
  expect(testsOf(later.steps)).toEqual(testsOf(jailed));
});

test('given the facts of an earlier plan, when the repository is gone, then the same plan is made', async () => {
  const file = cloned();
  const { source } = await gatherFacts(file, 'local', process.cwd(), {}, NO_RUNS);
  const before = await plan(file, 'local');
  rmSync(join(file, '..', 'ray'), { recursive: true });
  const again = await plan(file, 'local', undefined, undefined, source);
  expect(again.steps).toEqual(before.steps);
  expect(again.imports).toEqual(before.imports);
  const other = readFileSync(file, 'utf8').replace('release_tests.yaml]', 'release_tests.yaml, release/more.yaml]');
  writeFileSync(file, other);
  await expect(plan(file, 'local', undefined, undefined, source)).rejects.toMatchObject({
    problems: [{ code: 'FACTS_LACK' }],
  });
});

test('given an unchanged import, when it is planned again, then the cached reading is used; damaged files are read again', async () => {
  const file = cloned();
  const first = await plan(file, 'local');
  const folder = join(root, 'home', 'imports');
  const kept = readdirSync(folder).filter((name) => name.startsWith('kept-'));
  expect(kept).toHaveLength(1);
  const path = join(folder, kept[0]!);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll('python spread.py', 'python from_the_kept_file.py'));
  const second = await plan(file, 'local');
  expect(JSON.stringify(second.steps)).toContain('from_the_kept_file.py');
  writeFileSync(path, '{"half');
  utimesSync(path, 0, 0);
  expect((await plan(file, 'local')).steps).toEqual(first.steps);
});

test('given a test that waits for more nodes than its cluster has, then the problem is at the upstream line', async () => {
  const file = cloned((text) => text.replace('nodes: 3, memory', 'nodes: 2, memory'));
  await expect(plan(file, 'local')).rejects.toMatchObject({
    problems: expect.arrayContaining([
      expect.objectContaining({
        message: 'the test waits for 3 nodes, and the cluster three has 2',
        place: { file: 'release/release_tests.yaml', line: expect.any(Number), column: expect.any(Number) },
      }),
    ]),
  });
});

/** Two imports of the example's tests with custom images, on clusters with containers. */
const WITH_IMAGES = `slipway: 1
pipeline: { name: ray-night, label: X1 }
source: { git: ray }
pythons: [cp310, cp311]
bases: { node: { debian: bookworm }, old: { debian: bookworm } }
clusters: { three: { manager: docker, base: node, nodes: 3 } }
tests:
${['', 'again_']
  .map(
    (prefix) => `  night${prefix}:
    import: ray
    files: [release/release_tests.yaml]
    prefix: '${prefix}'
    where: { match: ['name:(custom_image|gpu_training|hello_world.released)'] }
    clusters: { aws: three, gce: three, kuberay: drop }
    byod: { base: node, dockerfile: Dockerfile, versions: { 2.50.0: old } }
`,
  )
  .join('')}`;

test('given custom images, when two imports need the same, then one step builds it, and the expanded text has the same plan', async () => {
  const file = cloned(() => WITH_IMAGES);
  const made = await plan(file, 'local');
  const images = made.steps.filter(({ id }) => id.startsWith('images/byod-'));
  expect(images).toHaveLength(3);
  const imageOf = (test: string): readonly string[] =>
    made.steps.flatMap(({ id, needs }) =>
      id.startsWith(`tests/${test}/`) ? needs.filter((need) => need.startsWith('images/')) : [],
    );
  expect(imageOf('custom_image')).toHaveLength(1);
  for (const test of ['custom_image_again', 'again_custom_image', 'again_custom_image_again'])
    expect(imageOf(test)).toEqual(imageOf('custom_image'));
  writeFileSync(file, await expanded(file, 'local', undefined, null, NO_RUNS));
  expect((await plan(file, 'local')).steps).toEqual(made.steps);
});

/** Two files more beside the example's, as upstream has them. Each has DEFAULTS of its own. */
const MORE_FILES: Readonly<Record<string, string>> = {
  'release/release_data_tests.yaml': `- name: DEFAULTS
  group: data-tests
  working_dir: core
  frequency: weekly
  team: data
  cluster: { cluster_compute: ../compute/one.yaml }
- name: read_{{ format }}
  run:
    timeout: 60
    script: python read.py --format {{ format }}
  matrix: { setup: { format: [parquet, csv] } }
`,
  'release/release_multimodal_tests.yaml': `- name: images
  working_dir: core
  frequency: nightly
  team: data
  cluster: { cluster_compute: ../compute/three.yaml }
  run: { timeout: 60, script: python images.py, wait_for_nodes: { num_nodes: 33 } }
`,
};
const THREE_FILES = `slipway: 1
pipeline: { name: ray-night, label: X1 }
source: { git: ray }
pythons: [cp310, cp311]
deps: { ray: { requires: ['ray[default]'] } }
clusters: { one: { manager: local, nodes: 3 } }
tests:
  night:
    import: ray
    files: [release/release_tests.yaml, release/release_data_tests.yaml, release/release_multimodal_tests.yaml]
    needs: [deps/ray]
    where: { match: ['team:data'] }
    clusters: { aws: one, gce: one, kuberay: one }
    change: [{ match: ['name:images'], set: { run: { wait_for_nodes: { num_nodes: 3 } } } }]
`;

test('given three files of tests in a clone, when they are planned as they are, then tests of each are steps, and a change makes one fit', async () => {
  const file = cloned(() => THREE_FILES);
  const clone = join(file, '..', 'ray');
  for (const [path, text] of Object.entries(MORE_FILES)) writeFileSync(join(clone, path), text);
  const git = ['-C', clone, '-c', 'user.name=x', '-c', 'user.email=x@x'];
  execFileSync('git', [...git, 'add', '.']);
  execFileSync('git', [...git, 'commit', '--quiet', '-m', 'more']);
  const made = await plan(file, 'local');
  const names = testsOf(made.steps).map((id) => id.split('/')[1]!);
  expect(names).toEqual(expect.arrayContaining(['shuffle_1_push', 'read_parquet', 'read_csv', 'images']));
  const images = made.steps.find(({ id }) => id.startsWith('tests/images/'));
  expect(images!.params).toMatchObject({ wait: { nodes: 3 } });
});
