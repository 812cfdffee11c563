import { readLock } from '../../../src/features/spack/pure/lock.js';
import type { Problem } from '../../../src/model/failure.js';
import { aLock, aNode, boatyard, boatyardWith, hashOf, importedFrom, recipeOf } from './an-environment.js';

const codesOf = (problems: readonly Problem[]): readonly string[] => problems.map(({ code }) => code);

test('given an environment with its lock, then each spec is an entry that needs the specs it depends on', () => {
  const { made } = importedFrom(boatyard());
  expect(made.findings).toEqual([]);
  const needs = made.entries.map(({ name, entry }) => [name, entry['dependencies']]);
  expect(Object.fromEntries(needs)).toEqual({
    'keel-1.0-jbqqowg': [],
    'hull-1.0-sh3j46b': ['keel-1.0-jbqqowg'],
    'mast-1.0-cauu6nz': ['keel-1.0-jbqqowg'],
    'rudder-1.0-xrv2pac': ['hull-1.0-sh3j46b'],
    'sail-1.0-6gmafus': ['mast-1.0-cauu6nz'],
    'skiff-1.0-d2goyii': ['rudder-1.0-xrv2pac', 'sail-1.0-6gmafus'],
  });
  expect(made.rows?.find(({ subject }) => subject.startsWith('keel'))).toEqual({
    ...{ subject: 'keel@1.0 /jbqqowg', verdict: 'build', reason: 'needed by hull, mast' },
    ...{ origin: { file: 'env/spack.lock', line: 1 }, entry: 'specs/keel-1.0-jbqqowg' },
  });
  expect(made.notices?.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
    'ENVIRONMENT_KEY_IGNORED env/spack.yaml: ci',
  ]);
});

test('given an external spec, then it has a row and no entry, and nothing needs it', () => {
  const gcc = { [hashOf('gcc')]: aNode('gcc', [], { external: { path: '/usr' } }) };
  const lock = aLock({ gcc: [], zlib: ['gcc'] }, gcc);
  const { made } = importedFrom(boatyardWith(lock));
  expect(made.entries.map(({ name, entry }) => [name, entry['dependencies']])).toEqual([['zlib-1.0-zlibabc', []]]);
  expect(made.rows?.[0]).toMatchObject({ verdict: 'external', reason: 'the lock takes it from /usr' });
});

test('given specs of one name and version whose hashes begin alike, then their entries have the whole hash', () => {
  const [one, two] = ['zlibabcq'.padEnd(32, 'a'), 'zlibabcr'.padEnd(32, 'a')];
  const nodes = Object.fromEntries([one, two].map((hash) => [hash, aNode('zlib', [], { hash })]));
  const { made } = importedFrom(boatyardWith(aLock({ root: [] }, nodes)));
  expect(made.entries.map(({ name }) => name).sort()).toEqual([
    'root-1.0-rootabc',
    `zlib-1.0-${one}`,
    `zlib-1.0-${two}`,
  ]);
});

test.each([
  ['no spack.yaml', { 'env/spack.yaml': null }, ['ENVIRONMENT_ABSENT']],
  ['no lock', { 'env/spack.lock': null }, ['LOCK_ABSENT']],
  ['a spack.yaml without "spack"', { 'env/spack.yaml': 'specs: [skiff]\n' }, ['ENVIRONMENT_INVALID']],
  ['no repo.yaml', { 'recipes/spack_repo/boatyard/repo.yaml': null }, ['RECIPES_ABSENT']],
  ['no recipe of a spec', { [recipeOf('mast')]: null }, ['RECIPE_ABSENT']],
  ['a lock of other roots', { 'env/spack.lock': aLock({ zlib: [] }) }, ['LOCK_STALE']],
  ['a lock that is cut off', { 'env/spack.lock': aLock({ zlib: [] }).slice(0, 80) }, ['LOCK_INVALID']],
  ['a lock of another format', { 'env/spack.lock': aLock({ zlib: [] }, {}, 8) }, ['LOCK_TOO_NEW']],
  ['a lock of an old format', { 'env/spack.lock': aLock({ zlib: [] }, {}, 3) }, ['LOCK_TOO_OLD']],
])('given %s, then planning names it', (_, changed, codes) => {
  const { made } = importedFrom(boatyard(changed));
  expect(codesOf(made.findings)).toEqual(codes);
  expect(made.entries).toEqual([]);
});

const problemsOf = (text: string): readonly Problem[] => {
  const found: Problem[] = [];
  expect(readLock(text, 'spack.lock', (problem) => void found.push(problem))).toBeNull();
  return found;
};

test.each([
  ['an edge without a node', aLock({ zlib: ['gone'] }), 'LOCK_EDGE'],
  ['specs that need each other', aLock({ one: ['two'], two: ['one'] }), 'LOCK_CYCLE'],
  ['a name that leads out', aLock({ '../../etc': [] }), 'LOCK_INVALID'],
  ['a version with a slash', aLock({ a: [] }, { [hashOf('b')]: aNode('b', [], { version: '1/2' }) }), 'LOCK_INVALID'],
  ['no object', 'null', 'LOCK_INVALID'],
])('given a lock with %s, then it is refused', (_, text, code) => {
  expect(codesOf(problemsOf(text))[0]).toBe(code);
});

test('given a lock of 20,001 specs, then it is refused', () => {
  const digits = 'abcdefghijklmnopqrstuvwxyz234567';
  const hash = (at: number): string =>
    Array.from({ length: 32 }, (_, place) => digits[(at >> (place * 5)) & 31]).join('');
  const nodes = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [hash(at), aNode('zlib', [])]));
  expect(codesOf(problemsOf(aLock({ root: [] }, nodes)))).toEqual(['LOCK_TOO_LARGE']);
});

test('given a lock of 5,000 specs in a chain, then each comes after what it needs', () => {
  const names = Array.from(
    { length: 5_000 },
    (_, at) => `s${[...String(at)].map((digit) => 'abcdefghij'[+digit]).join('')}z`,
  );
  const edges = names.map((name, at) => [name, at === 0 ? [] : [names[at - 1]!]] as const);
  const text = aLock(Object.fromEntries(edges.toReversed()));
  const lock = readLock(text, 'spack.lock', (problem) => expect(problem).toBeNull());
  expect([...lock!.specs.values()].map(({ name }) => name)).toEqual(names);
});
