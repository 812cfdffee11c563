import { stringify } from 'yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainScalar } from '../../src/importers/pyyaml/scalar.js';
import { rowSentence } from '../../src/engine/why/rows.js';
import { LEFT_OUT } from '../../src/model/rows.js';
import { expectGolden } from '../support/golden.js';
import { catalogueOf, exampleFiles, type Files, HEAD, imported, TESTS, withTests } from './ray-files.js';

const fixture = (name: string): unknown => JSON.parse(readFileSync(join(__dirname, 'fixtures', name), 'utf8'));
const namesOf = (...args: Parameters<typeof imported>): readonly string[] => {
  const { entries, findings } = imported(...args);
  expect(findings).toEqual([]);
  return entries.map(({ entry, name }) => String(entry['title'] ?? name));
};

// scalars.pyyaml.json holds what PyYAML 6.0.3 read.
test.each(fixture('scalars.pyyaml.json') as [string, string, string][])(
  'given the plain scalar %p, when it is read, then its type and its text match PyYAML',
  (source, type, text) => {
    expect(plainScalar(source)).toMatchObject({ type, text });
  },
);

// ray-night.pyyaml.json is the output of bench/import/merge.py over the same file.
test('given a file with every feature, when it is expanded, then its tests equal those of PyYAML and Python', () => {
  const ours = catalogueOf(exampleFiles()).tests.map(({ full, smoke }) => [full.keys, smoke !== null]);
  const theirs = (fixture('ray-night.pyyaml.json') as Record<string, unknown>[]).map(
    ({ smoke_test: smoke, ...keys }) => [keys, smoke !== undefined],
  );
  expect(ours).toEqual(theirs);
});

test('given the example, when it is imported, then each test is an entry with its place', () => {
  const clusters = { aws: 'three', gce: 'processes', kuberay: 'one' };
  const { entries, findings, notices, rows } = imported(exampleFiles(), { clusters });
  expect(findings).toEqual([]);
  const leftOut = rows!.filter(({ verdict }) => verdict === LEFT_OUT).map(rowSentence);
  const told = entries.map(({ name, entry, origin }) => ({ [name]: entry, from: `${origin.file}:${origin.line}` }));
  expectGolden('importers/ray-night.yaml', stringify({ entries: told, notices, leftOut }));
});

const SELECTED: readonly (readonly [string, Parameters<typeof imported>[1], Parameters<typeof imported>[2], number])[] =
  [
    ['nothing', {}, {}, 38],
    ['a frequency', { where: { frequency: 'weekly' } }, {}, 3],
    ['the nightly frequency, with smoke tests that are nightly', { where: { frequency: 'nightly' } }, {}, 33],
    [
      'a frequency of the command, which replaces that of the file',
      { where: { frequency: 'weekly' } },
      { frequency: 'monthly' },
      1,
    ],
    ['an expression, anchored at the start', { where: { match: ['name:many_'] } }, {}, 1],
    ['an expression that matches only in the middle', { where: { match: ['name:tasks|spread'] } }, {}, 2],
    ['the same with a leading .*', { where: { match: ['name:.*tasks'] } }, {}, 1],
    ['alternatives of one attribute', { where: { match: ['team:train', 'team:data'] } }, {}, 9],
    ['two attributes, which must both match', { where: { match: ['team:data', 'name:shuffle_1_'] } }, {}, 2],
    ['a nested attribute', { where: { match: ['run/type:(command|sdk_command)$'] } }, {}, 2],
    ['a number', { where: { match: ['run/timeout:900'] } }, {}, 7],
    ['a truth', { where: { match: ['stable:false'] } }, {}, 1],
    ['an absent attribute, which is empty text', { where: { match: ['alert:$'] } }, {}, 30],
    ['a prefix, which is no expression', { where: { match: ['prefix:shuffle_1'] } }, {}, 7],
    ['syntax of Python', { where: { match: ['name:(?i)(?P<x>SPREAD)\\Z'] } }, {}, 1],
    ['only stable tests', { where: { unstable: 'skip' } }, {}, 37],
    ['filters of the command', { where: { match: ['team:data'] } }, { where: ['team:train'] }, 1],
  ];
test.each(SELECTED)(
  'given %s, when tests are chosen, then their number equals that of the upstream program',
  (_, say, chosen, count) => {
    expect(namesOf(exampleFiles(), say, chosen)).toHaveLength(count);
  },
);

test('given a smoke test, when smoke tests are preferred or due, then it is merged over its test', () => {
  const files = exampleFiles();
  const only = { where: { match: ['name:many_tasks'] } };
  const [full] = imported(files, only).entries;
  const [smoke] = imported(files, only, { smoke: true }).entries;
  const [due] = imported(files, only, { frequency: 'nightly' }).entries;
  expect(full!.entry).toMatchObject({ timeout: '3600s', wait: { nodes: 3 }, tags: { frequency: 'weekly' } });
  expect(smoke!.entry).toMatchObject({
    run: 'python many_tasks.py --count 10000 --smoke-test',
    timeout: '120s',
    wait: { nodes: 1 },
    smoke: true,
    tags: { frequency: 'nightly' },
  });
  expect(due!.entry).toEqual(smoke!.entry);
});

test('given changes, when tests are read, then they are merged over the tests that match', () => {
  const change = [
    { match: ['name:spread$'], set: { run: { wait_for_nodes: { num_nodes: 1 } }, python: '3.12' } },
    { match: ['name:spread$'], set: { run: { script: 'python other.py' } } },
  ];
  const [spread, slow] = imported(exampleFiles(), { change, where: { match: ['name:spread'] } }).entries;
  expect(spread!.entry).toMatchObject({
    pythons: ['cp312'],
    wait: { nodes: 1 },
    run: 'python other.py',
    timeout: '300s',
  });
  expect(slow!.entry).toMatchObject({ pythons: ['cp311'], wait: { nodes: 3 } });
});

test('given `wait_for_nodes` 0, as upstream has it, when it is imported, then the step waits for the head node', () => {
  const files = withTests(`${HEAD}- name: a\n  run: { wait_for_nodes: { num_nodes: 0 } }\n`);
  expect(imported(files).entries[0]!.entry['wait']).toEqual({ nodes: 1, for: '3000s' });
});

test('given a prefix, then the step has it, and the real test name is stored', () => {
  const [one] = imported(exampleFiles(), { prefix: 'b-', where: { match: ['name:spread$'] } }).entries;
  expect(one).toMatchObject({ name: 'b-spread', entry: { title: 'spread' } });
});

test('given names that no step can have, when they are shortened, then they stay distinct', () => {
  const long = 'x'.repeat(107);
  const names = [`${long}=1`, `${long}=2`, '=', 'a..b', '-'];
  const { entries } = imported(withTests(HEAD + names.map((name) => `- name: '${name}'\n`).join('')));
  expect(entries.map(({ entry }) => entry['title'])).toEqual(names);
  expect(new Set(entries.map(({ name }) => name)).size).toBe(names.length);
  for (const { name } of entries) expect(name).toMatch(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,78}-[0-9a-f]{8}$/);
});

test('given a script with quotes, braces and $, when it becomes a shell line, then it means the same', () => {
  const script = `python a.py --text 'it''''s {name}' {{x}} \${HOME} {a,b} {A}`;
  const { entries } = imported(withTests(`${HEAD}- name: a\n  run: { script: "${script}" }\n`));
  expect(entries[0]!.entry['run']).toBe(`python a.py --text 'it''''s {{name}}' {{{x}}} \${HOME} {a,b} {A}`);
});

test.each([
  ['aws', 'm5.2xlarge', 0, 'minuscule', 128],
  ['aws', 'm5.8xlarge', 0, 'tiny', 32],
  ['aws', 'm5.16xlarge', 0, 'small', 16],
  ['aws', 'm5.16xlarge', 2, 'medium', 6],
  ['aws', 'm5.16xlarge', 10, 'large', 8],
  ['aws', 'm5.16xlarge', 16, 'enormous', 1],
  ['aws', 'g4dn.12xlarge', 1, 'small-gpu', 8],
  ['aws', 'g4dn.12xlarge', 2, 'large-gpu', 4],
  ['gce', 'n2-standard-8', 0, 'minuscule-gce', 128],
  ['gce', 'n1-standard-16-nvidia-tesla-t4-1', 0, 'gpu-gce', 32],
  ['gce', 'n1-standard-16-nvidia-tesla-t4-1', 1, 'gpu-gce', 16],
  ['gce', 'a2-highgpu-4g', 1, 'gpu-gce', 4],
])(
  'given env %s, instance type %s and %d workers, then its group is the first that fits',
  (env, type, workers, name, limit) => {
    const compute = `head_node_type: { instance_type: ${type} }\nworker_node_types: [{ instance_type: ${type}, max_workers: ${workers} }]\n`;
    const files: Files = { ...withTests(`${HEAD}- name: a\n  env: ${env}\n`), 'release/core/compute.yaml': compute };
    expect(imported(files).entries[0]!.entry['pool']).toEqual({ name, limit });
  },
);

test('given unknown instance types, when the import defines them or a default group, then those count', () => {
  const files: Files = {
    ...withTests(`${HEAD}- name: a\n`),
    'release/core/compute.yaml': 'head_node: { instance_type: q9.huge }\n',
  };
  expect(imported(files, { instances: { 'q9.huge': { cpus: 600, gpus: 0 } } }).entries[0]!.entry['pool']).toMatchObject(
    { name: 'large' },
  );
  expect(imported(files, { instances: { '*': 'small' } }).entries[0]!.entry['pool']).toMatchObject({ name: 'small' });
});

test('given two files, when a test of the second needs DEFAULTS of the first, then it is a mistake', () => {
  const files = { ...withTests(HEAD), 'release/b.yaml': '- name: b\n' };
  const { findings } = catalogueOf(files, {
    ...{ files: [TESTS, 'release/b.yaml'], needs: [], clusters: {} },
    ...{ change: [], prefix: '', instances: {} },
  });
  expect(findings.map(({ code, message }) => `${code} ${message}`)).toContain('RAY_TESTS_KEY_MISSING b has no team');
});
