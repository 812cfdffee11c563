// Readers of Spack environments: specs, spack.yaml with its rules, spack.lock.
const { join } = require('node:path');
const { readFileSync } = require('node:fs');

const ROOT = join(__dirname, '..', '..');
const dist = (module) => require(join(ROOT, 'dist', 'features', 'spack', 'pure', `${module}.js`));
const example = (name) => readFileSync(join(ROOT, 'examples', 'boatyard', 'env', name), 'utf8');

const SPECS = [
  'builtin.hdf5@=1.14.3,1.12:1.12.9+mpi~~shared cflags="-O2 -g" languages:=c,cxx arch=linux-debian12-x86_64_v3 %c,cxx=gcc@12.2: ^[virtuals=mpi] mpich@3 %clang',
  'zlib@develop target=x86_64_v2:,aarch64 /abcdef',
];
const SIGNS = [
  '@',
  '=',
  ':=',
  '==',
  ':',
  ',',
  '+',
  '~',
  '++',
  '%',
  '%%',
  '^',
  '[virtuals=',
  ']',
  '/',
  '"',
  "'",
  '*',
  ' ',
  '.',
  '-',
  'rc1',
  'main',
  '9',
];
const YAML = [
  '- ',
  ': ',
  '::',
  '\n',
  '  ',
  '{',
  '}',
  '[',
  ']',
  '$a',
  '$^a',
  '$%a',
  'matrix: ',
  'exclude: ',
  'when: ',
  'definitions: ',
  'match: ',
];
const MATRIX = `spack:
  definitions:
  - a: [zlib, hdf5]
  - b: [$a, { matrix: [[$a], [+pic]], exclude: [zlib] }]
  specs: [$b, { matrix: [[$^a], [$%a]] }]
`;
const JSON_SIGNS = ['{', '}', '[', ']', '"', ':', ',', 'null', '0', '-1', '../', 'hash', 'dependencies'];

const SPEC = 'hdf5@1.12:+mpi languages=c target=:x86_64_v4 %gcc ^mpi';

function readSpec(text) {
  const [{ isUnderstood, parseSpec }, { printSpec }, relate] = ['spec/parse', 'spec/print', 'spec/relate'].map(dist);
  const [spec, other] = [parseSpec(text), parseSpec(SPEC)];
  if (!isUnderstood(spec)) return;
  const both = relate.merged(spec, other);
  if (both !== null) printSpec(both);
  relate.satisfies(spec, other);
  relate.satisfies(other, spec);
}

function readEnvironment(text) {
  const ignore = () => undefined;
  const environment = dist('environment').readEnvironment(text, 'spack.yaml', ignore);
  const rules = environment?.rules(ignore);
  const spec = dist('spec/parse').parseSpec(SPEC);
  if (rules) dist('rules').tagsOf(rules, spec, spec);
}

function readLock(text) {
  const lock = dist('lock').readLock(text, 'spack.lock', () => undefined);
  if (lock !== null) dist('concrete').concreteSpecs(lock);
}

const of = (name, share, texts, tokens, read) => ({
  ...{ name, share },
  seeds: texts.map((text) => Buffer.from(text)),
  tokens: tokens.map((text) => Buffer.from(text)),
  run: (bytes) => read(bytes.toString('utf8')),
});

exports.spackReaders = () => [
  of('Spack spec', 24, SPECS, SIGNS, readSpec),
  of('Spack environment', 6, [example('spack.yaml'), MATRIX], [...YAML, ...SIGNS], readEnvironment),
  of('Spack lock', 4, [example('spack.lock')], JSON_SIGNS, readLock),
];
