import { parse } from 'yaml';
import { readFiles } from '../../../src/features/spack/pure/environment-files.js';
import { gitlabExport } from '../../../src/features/spack/pure/gitlab/export.js';
import { EnvironmentImport } from '../../../src/features/spack/schemas/environment.js';
import { noFacts } from '../../../src/importers/asks.js';
import { aLock, boatyard, boatyardWith, type Files, importedFrom } from './an-environment.js';
import { BOOTSTRAP, commitOf, PLAIN } from './pr-11612.js';

const RUNNERS = [
  { tags: ['spack-k8s'], on: 'ubuntu' },
  { tags: ['spack-k8s', 'large'], on: 'centos' },
];

interface Job {
  readonly stage: string;
  readonly tags: readonly string[];
  readonly image: unknown;
  readonly needs: readonly { readonly job: string }[];
  readonly variables: Readonly<Record<string, string>>;
}

function exported(files: Files) {
  const entry = EnvironmentImport.parse({ import: 'spack', file: 'env/spack.yaml' });
  const read = readFiles(entry, { ...noFacts(), text: files });
  if ('asks' in read) throw new Error('files are missing');
  const refuse = ({ message }: { message: string }): never => {
    throw new Error(message);
  };
  const generation = { artifactsRoot: 'made', job: 'generate', pipeline: '7', stack: 'stack' };
  const { text } = gitlabExport(entry, read.environment!, read.lock!, generation, refuse)!;
  const all = parse(text, { maxAliasCount: -1 }) as Readonly<Record<string, Job>>;
  const jobs = Object.entries(all).flatMap(([name, job]) =>
    name.includes('@') ? [{ name: name.replace(/ \/.*/, ''), hash: name.replace(/.*\//, ''), ...job }] : [],
  );
  return { jobs, stages: all['stages'] as unknown as readonly string[] };
}

test('given the example of PR 11612, then six jobs are in three stages, on two runners', () => {
  const { jobs, stages } = exported(PLAIN);
  expect(stages).toEqual(['stage-0', 'stage-1', 'stage-2']);
  const row = ({ name, stage, tags, image }: (typeof jobs)[number]): unknown => [name, stage, tags, image];
  const ubuntu = [['spack-k8s'], 'scottwittenburg/spack_builder_ubuntu_18.04'];
  const centos = [['spack-k8s', 'large'], { name: 'scottwittenburg/spack_builder_centos_7', entrypoint: [''] }];
  expect(jobs.map(row).map(String).sort()).toEqual(
    [ubuntu, centos]
      .flatMap((runner) => [
        ['pkgconf@1.6.1', 'stage-0', ...runner],
        ['ncurses@6.1', 'stage-1', ...runner],
        ['readline@7.0', 'stage-2', ...runner],
      ])
      .map(String)
      .sort(),
  );

  const { made } = importedFrom(commitOf(PLAIN), { runners: RUNNERS, recipes: {} });
  expect(made.findings).toEqual([]);
  expect(made.entries.map(({ entry }) => `${String(entry['name'])} ${String(entry['on'])}`).sort()).toEqual([
    ...['ncurses centos', 'ncurses ubuntu', 'pkgconf centos', 'pkgconf ubuntu', 'readline centos', 'readline ubuntu'],
  ]);
});

test('given its example with compilers to bootstrap, then their phase comes first, and they have no compiler', () => {
  const { jobs, stages } = exported(BOOTSTRAP);
  expect(stages).toEqual(['stage-0', 'stage-1', 'stage-2', 'stage-3', 'stage-4']);
  const stagesOf = (name: string) => [
    ...new Set(jobs.filter((one) => one.name.startsWith(`${name}@`)).map(({ stage }) => stage)),
  ];
  expect(
    ['gmp', 'llvm', 'gcc', 'pkgconf', 'ncurses', 'readline'].flatMap((name) => [[name, ...stagesOf(name)]]),
  ).toEqual([
    ...[
      ['gmp', 'stage-0'],
      ['llvm', 'stage-0'],
      ['gcc', 'stage-1'],
    ],
    ...[
      ['pkgconf', 'stage-2'],
      ['ncurses', 'stage-3'],
      ['readline', 'stage-4'],
    ],
  ]);
  const compilerOf = (name: string) => [
    ...new Set(
      jobs.filter((one) => one.name.startsWith(name)).map((one) => one.variables['SPACK_JOB_SPEC_COMPILER_NAME']),
    ),
  ];
  expect([compilerOf('gcc'), compilerOf('gmp'), compilerOf('readline').sort()]).toEqual([
    ['none'],
    ['none'],
    ['clang', 'gcc'],
  ]);
  // The barrier: pkgconf begins its phase, and waits for all that end the phase before.
  const needed = jobs.find(({ name }) => name === 'pkgconf@1.6.1')!.needs.map(({ job }) => job.replace(/ \/.*/, ''));
  expect(needed).toEqual(['llvm@6.0.1', 'llvm@6.0.1', 'gcc@6.5.0', 'gcc@6.5.0', 'generate']);
});

/** Needs of the specs whose compiler and system a name ends with. */
function needsIn(files: Files, more: Partial<EnvironmentImport> = {}) {
  const { made } = importedFrom(commitOf(files), { recipes: {}, ...more });
  expect(made.findings).toEqual([]);
  return Object.fromEntries(
    made.entries.map(({ name, entry }) => [
      name,
      (entry['dependencies'] as readonly string[]).map((one) => one.split('-')[0]),
    ]),
  );
}

test('given a phase without its barrier, then specs wait for the compiler that they name, of the same system', () => {
  const { made } = importedFrom(commitOf(BOOTSTRAP), { recipes: {} });
  const entryOf = (hash: string) => made.entries.find(({ entry }) => entry['hash'] === hash)!.entry;
  const hashes = Object.keys((JSON.parse(BOOTSTRAP['env/spack.lock']!) as { concrete_specs: object }).concrete_specs);
  const [clang] = hashes.filter((hash) => hash.startsWith('pkgconfcentos7clang'));
  const dependencies = entryOf(clang!)['dependencies'] as readonly string[];
  const [compiler] = made.entries.filter(({ name }) => dependencies.includes(name));
  expect(dependencies).toHaveLength(1);
  expect(compiler!.entry).toMatchObject({ name: 'llvm', lock: 'env/compiler-pkgs/spack.lock' });
  expect(String(compiler!.entry['hash'])).toMatch(/^llvmcentos7/);
  expect(entryOf(clang!)).not.toHaveProperty('lock');
  expect(
    made.rows?.map(({ reason }) => reason).filter((reason) => reason.includes('phase compiler-pkgs')),
  ).toHaveLength(6);
});

test('given `barrier: true`, then specs that begin a phase wait for all of the phase before', () => {
  const needs = needsIn(BOOTSTRAP, { barrier: true });
  const first = Object.entries(needs).filter(([name]) => name.startsWith('pkgconf'));
  expect(first).toHaveLength(4);
  for (const [, names] of first) expect(names.sort()).toEqual(['gcc', 'gcc', 'llvm', 'llvm']);
  expect(
    Object.entries(needs)
      .filter(([name]) => name.startsWith('ncurses'))
      .flatMap(([, names]) => names),
  ).not.toContain('gmp');
});

test('given a list without a lock, then a lock before format 6 needs it, and one of format 6 does not', () => {
  const { 'env/compiler-pkgs/spack.lock': _, ...without } = BOOTSTRAP;
  const { made } = importedFrom(commitOf(without), { recipes: {} });
  expect(made.findings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'PHASE_LOCK_ABSENT: bootstrap builds compiler-pkgs first, and the commit has no "env/compiler-pkgs/spack.lock"',
  ]);
  const ci = { bootstrap: ['tools'], 'pipeline-gen': [] };
  const yaml = JSON.stringify({ spack: { specs: ['zlib'], definitions: [{ tools: ['gcc'] }], ci } });
  const newer = importedFrom({ ...boatyardWith(aLock({ zlib: [] })), 'env/spack.yaml': yaml }, { recipes: {} });
  expect(newer.made.findings).toEqual([]);
  expect(newer.made.notices?.map(({ code }) => code)).toContain('PHASE_IDLE');
});

test('given a lock of other specs than the list has, then planning says so', () => {
  const yaml = BOOTSTRAP['env/spack.yaml']!.replace('llvm@6.0.1', 'llvm@7.0.0');
  const { made } = importedFrom(commitOf({ ...BOOTSTRAP, 'env/spack.yaml': yaml }), { recipes: {} });
  expect(made.findings.map(({ code }) => code)).toEqual(['LOCK_STALE']);
});

test('given a phase whose lock is not there, then nothing else of the environment is asked for before', () => {
  const entry = EnvironmentImport.parse({ import: 'spack', file: 'env/spack.yaml' });
  const { 'env/compiler-pkgs/spack.lock': _, ...text } = { ...boatyard(), ...BOOTSTRAP };
  expect(readFiles(entry, { ...noFacts(), text })).toMatchObject({
    asks: [{ ask: 'text', path: 'env/compiler-pkgs/spack.lock' }],
  });
});
