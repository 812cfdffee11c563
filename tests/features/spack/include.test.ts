import type { EnvironmentImport } from '../../../src/features/spack/schemas/environment.js';
import { aLock, boatyardWith, importedFrom } from './an-environment.js';

const COMMIT = 'abcdef0123'.repeat(4);
const GIT = 'https://git.example/configs.git';
const RUNNERS = [
  { tags: ['small'], on: 'small' },
  { tags: ['small', 'large'], on: 'large' },
];
const LARGE = 'ci: { pipeline-gen: [{ build-job: { tags: [large] } }] }\n';

/** Imports an environment of zlib with these includes. @param files by path, or by `GIT COMMIT path` */
function included(
  include: readonly unknown[],
  files: Record<string, string> = {},
  more: Partial<EnvironmentImport> = {},
) {
  const ci = { 'pipeline-gen': [{ 'build-job': { tags: ['small'] } }] };
  const yaml = JSON.stringify({ spack: { specs: ['zlib'], include, ci } });
  const all = { ...boatyardWith(aLock({ zlib: [] })), 'env/spack.yaml': yaml, ...files };
  const { made, facts } = importedFrom(all, { recipes: {}, runners: RUNNERS, ...more });
  return {
    ...{ facts, notices: made.notices ?? [], entry: made.entries[0]?.entry },
    found: made.findings.map(({ code, message, place }) => `${code}:${place?.line}: ${message}`),
  };
}

test('given an included file, then its rules come behind those of spack.yaml, and builds know it', () => {
  const { entry, found, notices } = included(['../conf/ci.yaml'], { 'conf/ci.yaml': LARGE });
  expect(found).toEqual([]);
  expect(entry).toMatchObject({ on: 'large', included: ['conf/ci.yaml'] });
  expect(notices.map(({ subject }) => subject)).toEqual(['env/spack.yaml: ci']);
  const alone = included([]);
  expect(alone.entry).toMatchObject({ on: 'small' });
  expect(alone.entry).not.toHaveProperty('included');
});

test('given rules that replace tags, then those of spack.yaml count before those of an include', () => {
  const own = { pipeline: 'pipeline-gen', job: { 'build-job': { 'tags:': ['small'] } } };
  const yaml = JSON.stringify({
    spack: { specs: ['zlib'], include: ['a.yaml', 'b.yaml'], ci: { [own.pipeline]: [own.job] } },
  });
  const files = { ...boatyardWith(aLock({ zlib: [] })), 'env/spack.yaml': yaml };
  const { made } = importedFrom(
    { ...files, 'env/a.yaml': LARGE, 'env/b.yaml': LARGE.replace('large', 'none') },
    { recipes: {}, runners: RUNNERS },
  );
  expect(made.entries[0]?.entry['on']).toBe('small');
});

test('given a folder, then its files by section are read, and what they include', () => {
  const { entry, found } = included(['conf'], {
    'env/conf/packages.yaml': 'packages: { all: { require: target=x86_64 } }\n',
    'env/conf/include.yaml': 'include: [../more.yaml]\n',
    'env/more.yaml': LARGE,
  });
  expect(found).toEqual([]);
  expect(entry).toMatchObject({
    on: 'large',
    included: ['env/conf/include.yaml', 'env/more.yaml', 'env/conf/packages.yaml'],
  });
});

test('given other packages in an included file, then specs have other settings', () => {
  const of = (target: string) =>
    included(['a.yaml'], { 'env/a.yaml': `packages: { all: { require: target=${target} } }\n` }).entry?.['settings'];
  expect(of('x86_64_v3')).not.toBe(of('x86_64'));
});

test('given definitions of an included file, then specs may name them', () => {
  const yaml = 'spack: { specs: [$some], include: [a.yaml] }\n';
  const files = { ...boatyardWith(aLock({ zlib: [] })), 'env/spack.yaml': yaml };
  const { made } = importedFrom({ ...files, 'env/a.yaml': 'definitions: [{ some: [zlib] }]\n' }, { recipes: {} });
  expect(made.findings).toEqual([]);
});

test('given a file of a repository that the release file names, then it is read at its commit', () => {
  const key = `${GIT} ${COMMIT} linux/ci.yaml`;
  const asked = [{ git: GIT, commit: COMMIT, paths: ['linux/ci.yaml'] }];
  const { entry, found, facts } = included(asked, { [key]: LARGE }, { includes: [GIT] });
  expect(found).toEqual([]);
  expect(entry).toMatchObject({ on: 'large', included: [key] });
  expect(Object.keys(facts.file)).toEqual([key]);
});

test.each([
  ['an optional file that is absent', { path: 'a.yaml', optional: true }],
  ['a condition that does not hold', { path: 'a.yaml', when: 'os == "rhel8"' }],
])('given %s, then nothing is missing', (_, item) => {
  expect(included([item], {}, { host: { os: 'debian12' } }).found).toEqual([]);
});

const refused = (why: string): string => `INCLUDE_REFUSED:1: an include cannot be read: ${why}`;

test.each([
  ['a file that is absent', 'a.yaml', 'INCLUDE_ABSENT:1: the included file "env/a.yaml" does not exist'],
  ['a way out of the source', '../../a.yaml', refused('"../../a.yaml" leads out of the source')],
  ['an absolute path', '/etc/a.yaml', refused('"/etc/a.yaml" is no path from the file that includes it')],
  [
    'an address',
    'https://a.example/a.yaml',
    refused('"https://a.example/a.yaml" is no path from the file that includes it'),
  ],
  ['a variable', '${HOME}/a.yaml', refused('"${HOME}/a.yaml" is no path from the file that includes it')],
  [
    'a repository that nobody named',
    { git: 'https://b.example', commit: COMMIT, paths: ['a.yaml'] },
    refused('the key "includes" of the import does not name "https://b.example"'),
  ],
  [
    'a branch',
    { git: GIT, branch: 'main', paths: ['a.yaml'] },
    refused('a repository is named with `commit`, a full hash of 40 digits'),
  ],
  [
    'a short hash',
    { git: GIT, commit: 'abcdef', paths: ['a.yaml'] },
    refused('a repository is named with `commit`, a full hash of 40 digits'),
  ],
  [
    'a path out of a repository',
    { git: GIT, commit: COMMIT, paths: ['../a.yaml'] },
    refused('`paths` are paths from the top of the repository'),
  ],
  ['an unknown key', { path: 'a.yaml', whn: 'x' }, refused('it has the key "whn"')],
  [
    'a condition on what nobody said',
    { path: 'a.yaml', when: 'hostname == "a"' },
    'WHEN_UNKNOWN:1: the condition asks for hostname, and `host` of the import does not say it',
  ],
])('given %s, then planning names it, and asks no address', (_, item, message) => {
  const { found, facts } = included([item], {}, { includes: [GIT] });
  expect(found).toEqual([message]);
  expect(Object.keys(facts.file)).toEqual([]);
});

test('given files that include each other, then planning names the circle', () => {
  const { found } = included(['a.yaml'], { 'env/a.yaml': 'include: [b.yaml]\n', 'env/b.yaml': 'include:\n- a.yaml\n' });
  expect(found).toEqual([
    'INCLUDE_CYCLE:2: files include each other: env/spack.yaml includes env/a.yaml includes env/b.yaml includes env/a.yaml',
  ]);
});

test('given thousands of includes, then planning ends after some hundreds', () => {
  const { found, facts } = included(
    Array.from({ length: 5_000 }, (_, no) => ({ path: `a${no}.yaml`, optional: true })),
  );
  expect(found).toEqual([refused('more than 500 are there')]);
  expect(Object.keys(facts.text).length).toBeLessThan(600);
});
