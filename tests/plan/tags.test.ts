import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TagRules } from '../../src/model/schema/tags.js';
import { readChecked } from '../../src/plan/read/release-file.js';
import { tagsFor, untagged, type TagFacts } from '../../src/plan/tags.js';

const rulesOf = (name: string): TagRules =>
  readChecked(readFileSync(join(__dirname, '..', '..', 'config', 'tags', name), 'utf8'), name, TagRules).content;
const RAY = rulesOf('ray.yaml');
const PLAIN = rulesOf('plain.yaml');

const commit = 'abc123def4567890abc123def4567890abc123de';
const nightly: TagFacts = { version: '3.0.0', commit, branch: 'master', schedule: 'nightly', yymmdd: '260222' };
const onMaster: TagFacts = { version: '3.0.0', commit, branch: 'master', build: 'f00dcafe' };
const release: TagFacts = { version: '2.54.0', commit, branch: 'releases/2.54.0', build: 'f00dcafe' };
const pull: TagFacts = { version: '3.0.0', commit, branch: 'a-fork', pull: '77', build: 'f00dcafe' };

const axes = (python: string, accelerator: string, platform = 'linux-x86_64') => ({ python, accelerator, platform });

/** Rule that the row shows, image, axes, facts, all tags. */
const TABLE: readonly (readonly [string, string, ReturnType<typeof axes>, TagFacts, readonly string[]])[] = [
  [
    'nightly',
    'ray',
    axes('cp311', 'cu12.8.1-cudnn'),
    nightly,
    ['nightly.260222.abc123-py311-cu128', 'nightly-py311-cu128'],
  ],
  ['release', 'ray', axes('cp312', 'cu12.9.1-cudnn'), release, ['2.54.0.abc123-py312-cu129']],
  [
    'commit and build id on master',
    'ray',
    axes('cp312', 'cu12.9.1-cudnn'),
    onMaster,
    ['abc123-py312-cu129', 'f00dcafe-py312-cu129'],
  ],
  ['pull request', 'ray', axes('cp312', 'cu12.9.1-cudnn'), pull, ['pr-77.abc123-py312-cu129', 'f00dcafe-py312-cu129']],
  [
    'commit and build id',
    'ray',
    axes('cp312', 'cu12.9.1-cudnn'),
    { ...onMaster, branch: 'x' },
    ['abc123-py312-cu129', 'f00dcafe-py312-cu129'],
  ],
  [
    'default python',
    'ray',
    axes('cp310', 'cu12.8.1-cudnn'),
    release,
    ['2.54.0.abc123-py310-cu128', '2.54.0.abc123-cu128'],
  ],
  ['cpu alias', 'ray', axes('cp311', 'cpu'), release, ['2.54.0.abc123-py311-cpu', '2.54.0.abc123-py311']],
  [
    'gpu alias',
    'ray',
    axes('cp311', 'cu12.1.1-cudnn8'),
    release,
    ['2.54.0.abc123-py311-cu121', '2.54.0.abc123-py311-gpu'],
  ],
  [
    'gpu is the default of ray-ml',
    'ray-ml',
    axes('cp311', 'cu12.1.1-cudnn8'),
    release,
    ['2.54.0.abc123-py311-cu121', '2.54.0.abc123-py311-gpu', '2.54.0.abc123-py311'],
  ],
  ['cpu', 'ray-ml', axes('cp311', 'cpu'), release, ['2.54.0.abc123-py311-cpu']],
  ['extra image', 'ray-extra', axes('cp312', 'cu12.8.1-cudnn'), release, ['2.54.0.abc123-extra-py312-cu128']],
  ['aarch64', 'ray', axes('cp312', 'cu12.8.1-cudnn', 'linux-aarch64'), release, ['2.54.0.abc123-py312-cu128-aarch64']],
  [
    'python', // ray-llm has no tag without a Python, and none without CUDA's version
    'ray-llm',
    axes('cp311', 'cu12.8.1-cudnn'),
    release,
    ['2.54.0.abc123-py311-cu128'],
  ],
  ['tpu', 'ray', axes('cp312', 'tpu'), release, ['2.54.0.abc123-py312-tpu']],
];

test.each(TABLE)('given Ray\'s rule "%s", then %s %j has its tags', (rule, name, of, facts, tags) => {
  const made = tagsFor({ name, axes: of }, facts, RAY);
  expect(made.map(({ tag }) => tag)).toEqual(tags);
  expect(made.flatMap(({ rules }) => rules)).toContain(rule);
});

test('given the table of cases, then it covers every rule of the file', () => {
  const shown = new Set(
    TABLE.flatMap(([, name, of, facts]) => tagsFor({ name, axes: of }, facts, RAY)).flatMap(({ rules }) => rules),
  );
  const all = [...RAY.versions, ...RAY.parts.flatMap(({ rows }) => rows)].map(({ rule }) => rule);
  expect(all.filter((rule) => !shown.has(rule) && rule !== 'no accelerator')).toEqual([]);
});

test('given the default image, then it has four names', () => {
  const made = tagsFor({ name: 'ray', axes: axes('cp310', 'cpu') }, release, RAY).map(({ tag }) => tag);
  expect(made).toEqual(['', '-cpu', '-py310', '-py310-cpu'].map((end) => `2.54.0.abc123${end}`).toReversed());
});

const CUDAS = ['11.7.1-cudnn8', '11.8.0-cudnn8', '12.1.1-cudnn8', '12.3.2-cudnn9', '12.4.1-cudnn', '12.5.1-cudnn'];
const MORE = ['12.6.3-cudnn', '12.8.1-cudnn', '12.9.1-cudnn'];
const MATRIX = ['cp310', 'cp311', 'cp312', 'cp313'].flatMap((python) =>
  ['cpu', ...[...CUDAS, ...MORE].map((cuda) => `cu${cuda}`)].flatMap((accelerator) =>
    ['linux-x86_64', 'linux-aarch64'].map((platform) => axes(python, accelerator, platform)),
  ),
);

test.each([
  ['a release', release, 120],
  ['a nightly', nightly, 240],
] as const)("given Ray's 80 images in %s, then all tags differ", (_, facts, count) => {
  const tags = MATRIX.flatMap((of) => tagsFor({ name: 'ray', axes: of }, facts, RAY)).map(({ tag }) => tag);
  expect([MATRIX.length, tags.length, new Set(tags).size]).toEqual([80, count, count]);
});

test.each([
  ['nothing but the version', {}, ['1.0']],
  ['a Python', { python: 'cp312' }, ['1.0-cp312']],
  ['the default accelerator', { accelerator: 'cpu', platform: 'linux-x86_64' }, ['1.0']],
  ['everything', axes('cp312', 'cu128', 'linux-aarch64'), ['1.0-cp312-cu128-aarch64']],
] as const)('given the plain rules and %s, then the tags are as expected', (_, of, tags) => {
  const made = tagsFor({ name: 'skiff', axes: of }, { version: '1.0', commit: null, branch: null }, PLAIN);
  expect(made.map(({ tag }) => tag)).toEqual(tags);
});

test('given words without values and unknown axis values, then they make no tag and are reported', () => {
  const image = { name: 'ray', axes: axes('cp312', 'rocm') };
  expect(untagged(image, RAY)).toEqual(['accelerator']);
  expect(tagsFor(image, release, RAY)).toEqual([]);
  const known = { name: 'ray', axes: axes('cp312', 'tpu') };
  const { build: _, ...unbuilt } = onMaster;
  expect(tagsFor(known, unbuilt, RAY).map(({ tag }) => tag)).toEqual(['abc123-py312-tpu']);
  expect(tagsFor(known, onMaster, RAY, 'release').map(({ tag }) => tag)).toEqual(['3.0.0.abc123-py312-tpu']);
  expect(tagsFor(known, onMaster, RAY, 'no-such')).toEqual([]);
});
