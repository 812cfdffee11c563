/** @needs sandbox */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openWorkingTree } from '../../../src/adapters/facts/working-tree.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import type { Ports } from '../../../src/cli/ports.js';
import { lockEnvironments } from '../../../src/features/spack/node/lock-environments.js';
import { newHome } from '../../support/run-body.js';
import { boatyard, type Files } from './an-environment.js';

const DOUBLE = join(__dirname, '../../doubles/spack');

/** Types `slipway env ACTION` in a working tree. Returns what the command said last, and the lock.
 * @param links paths of links, and where they lead */
async function typed(
  files: Files,
  action = 'lock',
  env: object = { SLIPWAY_SPACK: DOUBLE },
  links: Readonly<Record<string, string>> = {},
) {
  const folder = await newHome();
  const own = { ...files, 'slipway.yaml': files['slipway.yaml']!.replace(/git: .*}/, 'git: . }') };
  for (const [path, text] of Object.entries(own)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const [path, to] of Object.entries(links)) symlinkSync(to, join(folder, path));
  execFileSync('git', ['init', '-q', folder]);
  const store = createDirectoryStore(join(await newHome(), 'store'));
  const ports = { cwd: folder, env: { ...process.env, SLIPWAY_SPACK: undefined, ...env }, store: async () => store };
  const said: string[] = [];
  const io = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
  const workingTree = (file: string) => openWorkingTree(file, store, folder);
  const input = { args: { action }, options: {} };
  const code = await lockEnvironments(input, io as never, { ...ports, workingTree } as unknown as Ports);
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  return { code, said: said.at(-1), all: said, lock: read('env/spack.lock'), read };
}

test('given an environment, then its lock is written beside it', async () => {
  const files = boatyard();
  const of = createHash('sha256').update(files['env/spack.yaml']!).digest('hex');
  const made = await typed(files);
  expect(made).toMatchObject({
    code: 0,
    said: 'env/spack.lock written',
    lock: `{"of": "${of}"}`,
  });
  const again = await typed({ ...files, 'env/spack.lock': made.lock });
  expect(again.said).toBe('env/spack.lock is as it was');
});

test('given an environment that Spack cannot concretize, then its lock stays', async () => {
  const files = boatyard();
  const yaml = `${files['env/spack.yaml']!}# contradiction\n`;
  await expect(typed({ ...files, 'env/spack.yaml': yaml })).rejects.toThrow(
    'LOCK_NOT_MADE: Spack could not concretize',
  );
});

test.each([
  ['another action', 'unlock', {}, 'ENV_ACTION_UNKNOWN: slipway env does not know "unlock"'],
  ['no Spack', 'lock', {}, 'SPACK_UNSET: nothing says where Spack is on this machine'],
])('given %s, then the command says what to type', async (_, action, env, message) => {
  await expect(typed(boatyard(), action, env)).rejects.toThrow(message);
});

test('given a source that is no repository, then the command says so', async () => {
  const file = boatyard()['slipway.yaml']!.replace(/source: .*/, 'source:\n  git: ..');
  await expect(typed({ ...boatyard(), 'slipway.yaml': file })).rejects.toThrow(
    'WORKING_TREE_ABSENT: there is no working tree',
  );
});

test('given a release file without environments, then the command says so', async () => {
  const file = 'slipway: 1\npipeline: { name: x, label: commit }\nsource: { git: . }\n';
  await expect(typed({ ...boatyard(), 'slipway.yaml': file })).rejects.toThrow('NO_ENVIRONMENTS: slipway.yaml has no');
});

const INCLUDING = `spack:
  include:
  - ../common/all.yaml
  - ../common/site
  - { path: absent.yaml, optional: true }
  specs: [skiff, $first]
  definitions:
  - first: [keel@1.0]
  ci: { bootstrap: [first] }
`;
const INCLUDED = {
  'common/all.yaml': 'include:\n  - deeper.yaml\nconfig: { build_jobs: 2 }\n',
  'common/deeper.yaml': 'packages: { all: { require: target=x86_64 } }\n',
  'common/site/packages.yaml': 'packages: { keel: { version: ["1.0"] } }\n',
};

test('given included files and a list of bootstrap, then Spack has the files, and the list has a lock of its own', async () => {
  const made = await typed({ ...boatyard(), 'env/spack.yaml': INCLUDING, ...INCLUDED });
  expect(made.all.filter((line) => / (written|is as it was)$/.test(line))).toEqual([
    'env/first/spack.lock written',
    'env/spack.lock written',
  ]);
  const list = {
    ...{ concretizer: {}, config: { build_jobs: 2 } },
    packages: { all: { require: 'target=x86_64' }, keel: { version: ['1.0'] } },
    ...{ toolchains: {}, specs: ['keel@1.0'], view: false },
  };
  const of = createHash('sha256')
    .update(`${JSON.stringify({ spack: list }, null, 2)}\n`)
    .digest('hex');
  expect(made.read('env/first/spack.lock')).toBe(`{"of": "${of}"}`);
});

test.each([
  ['an absent file', '  include: [other.yaml]\n', 'INCLUDE_ABSENT: the included file "env/other.yaml" does not exist'],
  [
    'a file of a repository',
    `  include: [{ git: ../r.git, commit: ${'a'.repeat(40)}, paths: [x.yaml] }]\n`,
    'LOCK_NOT_LOCAL: env/spack.yaml cannot be concretized from the working tree alone: it includes a file of ../r.git',
  ],
  [
    'a list that nobody can tell',
    '  definitions:\n  - first: 7\n  ci: { bootstrap: [first] }\n',
    'LOCK_NOT_LOCAL: env/spack.yaml cannot be concretized from the working tree alone: its file alone does not tell the specs of first',
  ],
])('given %s, then nothing is locked, and the problem names it', async (_, more, message) => {
  const file = boatyard()['slipway.yaml']!.replace(/(\n *)import: spack/, '$1includes: [../r.git]$&');
  const files = { ...boatyard(), 'slipway.yaml': file, 'env/spack.yaml': `spack:\n  specs: [skiff]\n${more}` };
  await expect(typed(files)).rejects.toThrow(message);
});

test.each<[string, Record<string, string>, Record<string, string>, string]>([
  ['a device', {}, { 'env/more.yaml': '/dev/zero' }, 'more.yaml'],
  ['a file outside', {}, { 'env/more.yaml': '/etc/passwd' }, 'more.yaml'],
  ['another folder', { 'common/x.yaml': 'config: {}\n' }, { 'env/out': '../common' }, 'out/x.yaml'],
  ['nothing and is too large', { 'env/more.yaml': '#'.repeat(5_000_000) }, {}, 'more.yaml'],
])(
  'given an included file that links to %s, then it is not copied, and the problem names it',
  async (_, more, links, path) => {
    const files = { ...boatyard(), ...more, 'env/spack.yaml': `spack:\n  specs: [skiff]\n  include: [${path}]\n` };
    await expect(typed(files, 'lock', { SLIPWAY_SPACK: DOUBLE }, links)).rejects.toThrow(
      `LOCK_NOT_LOCAL: env/spack.yaml cannot be concretized from the working tree alone: env/${path} is a link, or no file of at most 4194304 bytes`,
    );
  },
);
