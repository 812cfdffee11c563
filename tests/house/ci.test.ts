/** @slow */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/pages.js';

type Files = Readonly<Record<string, string>>;

const suite = (needs: string): string => `/** @needs ${needs} */\n`;
const imports = (from: string): string => `import { x } from '${from}';\n`;
const SUITES: Files = {
  'tests/night.test.ts': suite('ray sshd'),
  'tests/store.test.ts': suite('s3') + imports('./support/few.js') + imports('./support/many.js'),
  'tests/roles.test.ts': suite('tls-server'),
};
const FIRST: Files = {
  ...SUITES,
  'src/adapters/s3-store/objects.ts': imports('../../model/few.js') + imports('../../model/many.js'),
  'src/adapters/clusters/start.ts': imports('../../model/many.js'),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`src/user-${at}.ts`, imports('./model/many.js')])),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`tests/other-${at}.ts`, imports('./support/many.js')])),
  ...{ 'tests/support/few.ts': '', 'tests/support/many.ts': '' },
  'src/model/few.ts': '',
  'src/model/many.ts': '',
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-ci-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const git = (cwd: string, args: readonly string[], input = ''): void =>
  void execFileSync('git', args, { cwd, input, stdio: ['pipe', 'ignore', 'pipe'] });

/** One commit as `git fast-import` reads it: `changes` has the text by path, null where the commit deletes the file. */
function commit(changes: Readonly<Record<string, string | null>>): string {
  const files = Object.entries(changes).map(([path, text]) =>
    text === null ? `D ${path}\n` : `M 644 inline ${path}\ndata ${text.length}\n${text}\n`,
  );
  return `commit refs/heads/main\ncommitter T <t@example.com> 0 +0000\ndata 1\nx\n${files.join('')}\n`;
}

/** A repository of so many commits. The first one makes all files; `changes` are made so many commits before the last one. */
function repository(
  commits: number,
  changes: Readonly<Record<string, string | null>> = {},
  ago = 0,
  first = FIRST,
): string {
  const folder = join(root, 'repository');
  mkdirSync(folder);
  const at = (index: number): Readonly<Record<string, string | null>> =>
    index === 0 ? first : index === commits - 1 - ago ? changes : {};
  git(folder, ['init', '-q', '-b', 'main']);
  git(folder, ['fast-import', '--quiet'], Array.from({ length: commits }, (_, index) => commit(at(index))).join(''));
  git(folder, ['reset', '-q', '--hard']);
  return folder;
}

interface Choice {
  /** Standard output: names of systems. */
  readonly systems: string;
  readonly said: string;
}

/** Runs the choice of a copy of tools/ci in this folder. */
function chosen(folder: string, ...args: readonly string[]): Choice {
  for (const path of ['tools/ci', 'tools/check/needs.mjs']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: root };
  const argv = [join('tools', 'ci', 'main.mjs'), ...args];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', env });
  return { systems: stdout.trim(), said: stderr };
}

test.each([
  [30, 'ray s3 tls-server hosts'],
  [31, 'hosts'],
  [40, 'ray'],
  [50, 's3'],
  [59, 's3'],
  [60, 'tls-server'],
  [70, 'hosts'],
])('given all files made in the first of %i commits, then %p runs', (commits, systems) => {
  expect(chosen(repository(commits)).systems).toBe(systems);
});

test.each([
  ['a source of the system', { 'src/adapters/clusters/start.ts': '' }, 0, 'ray s3'],
  ['a deleted source of the system', { 'src/adapters/clusters/start.ts': null }, 0, 'ray s3'],
  ['a suite of the system', { 'tests/roles.test.ts': suite('tls-server openssl') }, 0, 's3 tls-server'],
  ['a source of the system in the 30th of the last commits', { 'src/adapters/clusters/start.ts': '' }, 29, 'ray s3'],
  ['a source of the system in the commit before', { 'src/adapters/clusters/start.ts': '' }, 30, 's3'],
  ['a core file that the system names', { 'src/client/connect.ts': '' }, 0, 's3 tls-server'],
  ['what builds its server', { 'tools/start/go.mjs': '' }, 0, 's3 tls-server'],
  ['an example of the system', { 'examples/ray-night/slipway.yaml': '' }, 0, 'ray s3'],
  ['a core file that many sources import', { 'src/model/many.ts': '//' }, 0, 's3'],
])(
  'given 50 commits, when %s was touched, then what was touched runs beside s3, whose turn it is',
  (_, changes, ago, systems) => {
    expect(chosen(repository(50, changes, ago)).systems).toBe(systems);
  },
);

test.each([
  ['a core file that few sources import', 'src/model/few.ts'],
  ['a helper that few files of tests import', 'tests/support/few.ts'],
  ['its policy', 'config/s3-policy.json'],
])('given %s, when it was touched, then the system runs out of its turn', (_, file) => {
  const { systems, said } = chosen(repository(60, { [file]: '//' }));
  expect(systems).toBe('s3 tls-server');
  expect(said).toContain(`runs     s3           the last 30 commits touched ${file}\n`);
});

test('given a helper that many files of tests import, when it was touched, then no system runs out of its turn', () => {
  expect(chosen(repository(60, { 'tests/support/many.ts': '//' })).systems).toBe('tls-server');
});

test('given a system that is left out, then its suites are named with the reason', () => {
  expect(chosen(repository(50)).said.split('\n')).toEqual([
    'left out ray          no recent commit touched it, and its turn comes in 30 commits',
    '       left out: tests/night.test.ts',
    'runs     s3           its turn at 50 commits',
    'left out tls-server   no recent commit touched it, and its turn comes in 10 commits',
    '       left out: tests/roles.test.ts',
    'left out hosts        no recent commit touched it, and its turn comes in 20 commits',
    '',
  ]);
});

test.each([
  [80, 'ray s3'],
  [50, 's3'],
])('given a suite of Ray that needs S3 too, when it is at %i commits, then %s runs', (commits, systems) => {
  const both = { ...FIRST, 'tests/night.test.ts': suite('ray s3') };
  expect(chosen(repository(commits, {}, 0, both)).systems).toBe(systems);
});

test('given a shallow clone, then every system runs', () => {
  const shallow = join(root, 'shallow');
  git(root, ['clone', '-q', '--depth', '3', pathToFileURL(repository(40)).href, shallow]);
  expect(chosen(shallow).systems).toBe('ray s3 tls-server hosts');
});

test('given files without a repository, then every system runs', () => {
  mkdirSync(join(root, 'copy', 'tests'), { recursive: true });
  expect(chosen(join(root, 'copy')).systems).toBe('ray s3 tls-server hosts');
});

test('given --all, then every system runs; given another word, then none does and the usage is said', () => {
  const folder = repository(40);
  expect(chosen(folder, '--all').systems).toBe('ray s3 tls-server hosts');
  expect(chosen(folder, '--al')).toEqual({ systems: '', said: 'usage: .ci/run [--all]; got --al\n' });
});

test('given the systems, then each is a need with suites, and each file that it names exists', () => {
  const script = `import(${JSON.stringify(pathToFileURL(join(ROOT, 'tools/ci/systems.mjs')).href)}).then(
    ({ SYSTEMS, suitesOfSystem }) => console.log(JSON.stringify(Object.entries(SYSTEMS).map(([system, { core }]) => ({
      system, core, suites: suitesOfSystem(${JSON.stringify(ROOT)}, system).length })))));`;
  const rows = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as readonly {
    readonly system: string;
    readonly core: readonly string[];
    readonly suites: number;
  }[];
  const needs = JSON.parse(readFileSync(join(ROOT, 'tests', 'needs.json'), 'utf8')) as object;
  expect(rows.filter(({ system, suites }) => !Object.hasOwn(needs, system) || suites === 0)).toEqual([]);
  expect(rows.flatMap(({ core }) => core).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
