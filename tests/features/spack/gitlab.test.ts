import { parse } from 'yaml';
import { readEnvironment } from '../../../src/features/spack/pure/environment.js';
import { gitlabExport } from '../../../src/features/spack/pure/gitlab/export.js';
import { readLock } from '../../../src/features/spack/pure/lock.js';
import type { Problem } from '../../../src/model/failure.js';
import { aLock, aNode, hashOf } from './an-environment.js';

const GENERATION = { artifactsRoot: 'made', job: 'generate', pipeline: '77', stack: 'stack' };
const MIRRORS = { 'buildcache-destination': { url: 'file:///mirror' } };
const CI = { 'pipeline-gen': [{ 'build-job': { tags: ['spack'] } }] };

interface Jobs {
  readonly [name: string]: { readonly [key: string]: unknown };
}

function exported(lock: string, spack: object, asked: object = {}) {
  const found: Problem[] = [];
  const complain = (problem: Problem): void => void found.push(problem);
  const generation = { ...GENERATION, ...asked };
  const environment = readEnvironment(JSON.stringify({ spack }), 'spack.yaml', complain)!;
  const exported = gitlabExport(
    { file: 'spack.yaml', unmapped: 'fail' },
    environment,
    readLock(lock, 'spack.lock', complain)!,
    generation,
    complain,
  );
  const made = found.length > 0 ? null : exported;
  const jobs = made === null ? {} : (parse(made.text, { maxAliasCount: -1 }) as Jobs);
  return { jobs, made, codes: [...found, ...(made?.findings ?? [])].map(({ code }) => code) };
}

const named = (name: string): string => `${name}@1.0 /${hashOf(name)}`;

test('given specs, then each has a job behind those that it needs, and the index is made last', () => {
  const { jobs, codes } = exported(aLock({ keel: [], mast: ['keel'], skiff: ['mast', 'keel'] }), {
    mirrors: MIRRORS,
    ci: CI,
  });
  expect(codes).toEqual([]);
  expect(Object.keys(jobs)).toEqual([
    ...[named('keel'), named('mast'), 'rebuild-index', named('skiff'), 'stages', 'variables', 'workflow'],
  ]);
  expect(jobs['stages']).toEqual(['stage-0', 'stage-1', 'stage-2', 'stage-rebuild-index']);
  expect(jobs[named('skiff')]).toEqual({
    variables: {
      SPACK_JOB_SPEC_DAG_HASH: hashOf('skiff'),
      ...{ SPACK_JOB_SPEC_PKG_NAME: 'skiff', SPACK_JOB_SPEC_PKG_VERSION: '1.0' },
      ...{ SPACK_JOB_SPEC_COMPILER_NAME: 'none', SPACK_JOB_SPEC_COMPILER_VERSION: 'none' },
      ...{ SPACK_JOB_SPEC_ARCH: 'linux-debian12-x86_64', SPACK_JOB_SPEC_VARIANTS: '' },
      SPACK_SPEC_NEEDS_REBUILD: 'True',
    },
    script: ['cd made/concrete_environment', 'spack env activate --without-view .', 'spack ci rebuild'],
    tags: ['spack'],
    needs: [
      { job: named('keel'), artifacts: false },
      { job: named('mast'), artifacts: false },
      { job: 'generate', pipeline: '77' },
    ],
    artifacts: { when: 'always', paths: ['made/logs', 'made/reproduction', 'made/tests', 'made/user_data'] },
    stage: 'stage-2',
    retry: { max: 2, when: expect.arrayContaining(['script_failure', 'data_integrity_failure']) as unknown },
    interruptible: true,
  });
  expect(jobs['rebuild-index']).toMatchObject({
    script: ['spack buildcache update-index --keys file:///mirror'],
    ...{ stage: 'stage-rebuild-index', when: 'always', dependencies: [] },
  });
  expect(jobs['variables']).toMatchObject({ SPACK_VERSION: '1.0.99', SPACK_CHECKOUT_VERSION: 'v1.0.99' });
});

test('given rules, then jobs have their attributes as Spack prints them', () => {
  const rules = [
    { submapping: [{ match: ['keel'], 'build-job': { variables: { SIZE: 'small', JOBS: 8, AT: '$HOME/x' } } }] },
    { 'any-job': { before_script: [['echo one', 'echo two'], 'echo three'] } },
    { 'build-job': { tags: ['spack', 'public'], image: { name: 'deb12', entrypoint: [''] }, retry: { max: 1 } } },
    { 'reindex-job': { tags: ['service'], script: ['never'] } },
    { 'dynamic-mapping': { endpoint: 'https://far.example' } },
  ];
  const { jobs, codes } = exported(aLock({ keel: [], skiff: ['keel'] }), {
    ...{ mirrors: MIRRORS, cdash: {}, ci: { 'pipeline-gen': rules } },
  });
  expect(codes).toEqual(['EXPORT_LEFT_OUT', 'EXPORT_LEFT_OUT', 'VARIABLE_AS_TEXT']);
  expect(jobs[named('keel')]).toMatchObject({
    ...{ tags: ['spack'], image: { name: 'deb12', entrypoint: [''] }, retry: { max: 1 } },
    before_script: ['echo one', 'echo two', 'echo three'],
    variables: { SIZE: 'small', JOBS: 8, AT: '$HOME/x' },
  });
  expect(jobs[named('skiff')]!['variables']).not.toHaveProperty('SIZE');
  expect(jobs['rebuild-index']).toMatchObject({
    ...{ tags: ['service'], before_script: ['echo one', 'echo two', 'echo three'] },
    script: ['spack buildcache update-index --keys file:///mirror'],
  });
});

test('given an external spec, then its dependent needs what is below it', () => {
  const gcc = { [hashOf('gcc')]: aNode('gcc', ['glue'], { external: { path: '/usr' } }) };
  const lock = aLock({ glue: [], gcc: ['glue'], skiff: ['gcc'] }, gcc);
  const { jobs } = exported(lock, { mirrors: MIRRORS, ci: CI });
  expect(jobs).not.toHaveProperty([named('gcc')]);
  expect(jobs[named('skiff')]).toMatchObject({ stage: 'stage-1', needs: [{ job: named('glue') }, {}] });
});

test('given a compiler and variants, then the variables of the job name them', () => {
  const parameters = {
    ...{ termlib: true, symlinks: false, abi: 'none', languages: ['cxx', 'c++', 'c'], cflags: ['-O2'] },
    patches: ['7a351bc4953a4ab7'],
  };
  const edge = { name: 'gcc', hash: hashOf('gcc'), parameters: { deptypes: ['build'], virtuals: ['cxx'] } };
  const node = aNode('skiff', [], { parameters, dependencies: [edge], propagate: ['termlib'] });
  const { jobs } = exported(aLock({ gcc: [], skiff: [] }, { [hashOf('skiff')]: node }), { mirrors: MIRRORS, ci: CI });
  expect(jobs[named('skiff')]!['variables']).toMatchObject({
    ...{ SPACK_JOB_SPEC_COMPILER_NAME: 'gcc', SPACK_JOB_SPEC_COMPILER_VERSION: '1.0' },
    SPACK_JOB_SPEC_VARIANTS: "~symlinks++termlib abi=none languages:='c,c++,cxx' patches:=7a351bc",
  });
});

test('given texts that YAML could take for something else, then GitLab reads them as texts', () => {
  const odd = [
    'yes',
    'off',
    'Null',
    '1e3',
    '0x1',
    '1:30',
    '2026-01-01',
    '~',
    '-',
    '=',
    '<<',
    '',
    ' a',
    'a ',
    'a: b',
    'a #b',
  ];
  const more = [
    '*a',
    '&a',
    '!a',
    '{a',
    '[a',
    '|',
    '>',
    '%a',
    '@a',
    '`a',
    '"a"',
    "'a'",
    'a\nb',
    'a:',
    '$A/b',
    'a -b',
    '日本',
    '\t',
  ];
  const variables = Object.fromEntries([...odd, ...more].map((text, at) => [`V${at}`, text]));
  const nested = [['a', ['b', []]], [{ a: 1, b: [{ c: {} }, true, null] }], {}];
  const ci = { 'pipeline-gen': [{ 'build-job': { tags: ['spack'], variables, nested } }] };
  const { made } = exported(aLock({ keel: [], mast: [] }), { ci });
  const jobs = parse(made!.text, { version: '1.1', maxAliasCount: -1 }) as Jobs;
  for (const name of ['keel', 'mast']) {
    expect(jobs[named(name)]!['variables']).toMatchObject(variables);
    expect(jobs[named(name)]!['nested']).toEqual(nested);
  }
  expect(made!.text.match(/&id\d+/g)!.every((anchor) => made!.text.includes(anchor.replace('&', '*')))).toBe(true);
});

test('given names of 300 letters, then each job has a name of its own that GitLab takes', () => {
  const [one, two] = ['zlibabcq'.padEnd(32, 'a'), 'zlibabcr'.padEnd(32, 'a')];
  const long = Object.fromEntries([one, two].map((hash) => [hash, aNode('z'.repeat(300), [], { hash })]));
  const names = Object.keys(exported(aLock({ keel: [] }, long), { ci: CI }).jobs).filter((name) =>
    name.startsWith('zz'),
  );
  expect(names.map((name) => [name.length, name.slice(-32)])).toEqual([
    [255, one],
    [255, two],
  ]);
});

test('given external specs alone, then one job says that nothing is to be built', () => {
  const lock = aLock({ gcc: [] }, { [hashOf('gcc')]: aNode('gcc', [], { external: { path: '/usr' } }) });
  const noop = [{ 'noop-job': { tags: ['service'] } }];
  const { jobs } = exported(lock, { mirrors: MIRRORS, ci: { 'pipeline-gen': noop } });
  expect(Object.keys(jobs)).toEqual(['no-specs-to-rebuild', 'workflow']);
  expect(jobs['no-specs-to-rebuild']).toEqual({
    ...{ tags: ['service'], retry: 0, allow_failure: true },
    script: ['echo "All specs already up to date, nothing to rebuild."'],
  });
});

test.each([
  ['no rules', {}, ['EXPORT_NO_RULES']],
  ['no mapping that fits', { 'gitlab-ci': { mappings: [] } }, ['JOB_UNMAPPED']],
  ['no mirror', { ci: CI }, ['EXPORT_NO_MIRROR']],
  ['a mirror with an address to push to', { ci: CI, mirrors: { 'buildcache-destination': { push: 's3://a' } } }, []],
  [
    'a pattern that is not understood',
    { ci: { 'pipeline-gen': [{ submapping: [{ match: ['zlib@git.x'], 'build-job': {} }] }] } },
    ['SPEC_NOT_UNDERSTOOD'],
  ],
])('given %s, then a person is told', (_, spack, codes) => {
  expect(exported(aLock({ keel: [] }), spack).codes).toEqual(codes);
});

test('given an index that is not wanted, then no job makes it', () => {
  const { jobs } = exported(aLock({ keel: [] }), { mirrors: MIRRORS, ci: { ...CI, 'rebuild-index': false } });
  expect(jobs['stages']).toEqual(['stage-0']);
});

test('given texts that YAML 1.1 reads as something else, then they are in quotes', () => {
  const variables = { A: 'yes', B: '1:30', C: '012' };
  const ci = { 'pipeline-gen': [{ 'build-job': { variables } }] };
  const { made } = exported(aLock({ keel: [] }), { ci });
  expect(made!.text).toMatch(/A: "yes"\n +B: "1:30"\n +C: "012"\n/);
});

test.each([
  ['no Spack', {}, ['1.0.99', 'v1.0.99']],
  ['a version', { spack: '1.1' }, ['1.1', 'v1.1']],
  ['a commit', { spack: '9cf66332df' }, ['1.0.99 (9cf66332df)', '9cf66332df']],
])('given an environment that asks for %s, then the pipeline names it', (_, asked, names) => {
  const { SPACK_VERSION, SPACK_CHECKOUT_VERSION } = exported(aLock({ keel: [] }), { ci: CI }, asked).jobs['variables']!;
  expect([SPACK_VERSION, SPACK_CHECKOUT_VERSION]).toEqual(names);
});
