// Readers of Spack environments: specs, spack.yaml with its rules and conditions, spack.lock.
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
  include: [{ path: b.yaml, when: 'os == "x"', optional: true }]
  definitions:
  - a: [zlib, hdf5]
    when: os in ("debian12", "rhel8") and not env.get("A")
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
  const around = { host: HOST, repositories: [], facts: { text: { 'b.yaml': text }, file: {} } };
  const environment = dist('environment').readEnvironment(text, 'spack.yaml', ignore, around);
  const [rules] = [environment?.rules(ignore), environment?.bootstrap(ignore), environment?.roots(ignore)];
  const spec = dist('spec/parse').parseSpec(SPEC);
  if (rules) dist('rules').buildJob(rules, spec, spec, {});
}

const HOST = { platform: 'linux', os: 'debian12', target: 'zen3', hostname: 'login3', env: { A: 'b' } };
const CONDITIONS = [
  `platform == 'linux' and (os != "rhel8" or not env.get('A', "c").startswith("b")) and 'A' in env`,
  `re.search(r"^log(in)?[0-9]+$", hostname) or re.match("x+", env["A"]) or arch not in ("a", 'b',)`,
];
const CONDITION_SIGNS = [
  ...["'", '"', 'r"', '\\', '(', ')', '[', ']', ',', '.', '==', '!=', ' or ', ' and ', ' not ', ' in '],
  ...['env', '.get', 're.search', 're.match', '.startswith', '.endswith', 'os', '__import__', 'True', '(a*)*', '{40}'],
];

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
  of('Spack condition', 12, CONDITIONS, CONDITION_SIGNS, (text) => void dist('when').evaluateWhen(text, HOST)),
  of('Spack environment', 6, [example('spack.yaml'), MATRIX], [...YAML, ...SIGNS], readEnvironment),
  of('Spack lock', 4, [example('spack.lock')], JSON_SIGNS, readLock),
];
