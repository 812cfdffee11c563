/** @slow */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { createPlanner } from '../../../src/adapters/facts/planner.js';
import { archive } from '../../../src/adapters/facts/git.js';
import { readBundle } from '../../../src/adapters/facts/bundle.js';
import { gatherFacts, plan, submit } from '../../../src/adapters/facts/index.js';
import { uncommitted } from '../../../src/adapters/facts/uncommitted.js';
import { digestOf } from '../../../src/model/digest.js';
import { records, type GitSource } from '../../../src/model/run-folder.js';
import { HEAD, sha256 } from '../../plan/a-plan.js';
import { fakeSignatures } from '../../support/sign-plan.js';

const folder = (files: Readonly<Record<string, string>>): string => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-facts-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', '-c', 'commit.gpgsign=false', ...args],
    { cwd, encoding: 'utf8' },
  ).trim();

const FROM_GIT = `slipway: 1
release: { name: skiff, version: { file: skiff/version.py, match: 'version = "(.+)"' } }
source: { git: .., commit: main }
platforms: [linux-x86_64]
pythons: [cp311]
wheels: { skiff: {} }
`;

/** A repository whose release file stands in a folder of its own. */
function repository(): string {
  const root = folder({ 'skiff/version.py': 'version = "1.0"\n', 'release/slipway.yaml': FROM_GIT });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'one', '--date', '2026-01-02T03:04:05Z');
  return root;
}

const codeOf = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error: { problems?: readonly { code: string }[] }) => error.problems?.[0]?.code ?? String(error),
  );

describe('the bundle', () => {
  test('given files below the release file, then it has each regular one, sorted, without output of builds and tools', async () => {
    const root = folder({
      'slipway.yaml': HEAD,
      'b/run.sh': 'echo',
      'a.py': 'x',
      '.git/config': '',
      'node_modules/x/index.js': '',
      'dist/x': '',
      '.slipway/store/x': '',
      'b/__pycache__/a.pyc': '',
    });
    chmodSync(join(root, 'b/run.sh'), 0o755);
    const { facts } = await gatherFacts(root, 'local');
    expect(facts.bundle).toEqual([
      { path: 'a.py', digest: sha256('x'), size: 1, executable: false },
      { path: 'b/run.sh', digest: sha256('echo'), size: 4, executable: true },
      { path: 'slipway.yaml', digest: sha256(HEAD), size: HEAD.length, executable: false },
    ]);
  });

  test('given the home and a virtual environment below it, then neither keys nor links of them are in it', async () => {
    const root = folder({
      'slipway.yaml': HEAD,
      'home/keys/control.key': 'canary',
      'tools/venv/pyvenv.cfg': '',
      'tools/venv/a.py': '',
    });
    for (const inside of ['home', 'tools/venv']) symlinkSync('/etc/hostname', join(root, inside, 'name'));
    const before = process.env['SLIPWAY_HOME'];
    process.env['SLIPWAY_HOME'] = join(root, 'home');
    try {
      expect((await readBundle(root, root)).map(({ path }) => path)).toEqual(['slipway.yaml']);
    } finally {
      if (before === undefined) delete process.env['SLIPWAY_HOME'];
      else process.env['SLIPWAY_HOME'] = before;
    }
  });

  test('given a link, then it is refused', async () => {
    const root = folder({ 'slipway.yaml': HEAD });
    symlinkSync('/etc/hostname', join(root, 'name'));
    expect(await codeOf(gatherFacts(root, 'local'))).toBe('BUNDLE_LINK');
  });

  test('given 2,001 files, then it is refused', async () => {
    const files = Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`f${at}`, '']));
    expect(await codeOf(gatherFacts(folder({ 'slipway.yaml': HEAD, ...files }), 'local'))).toBe('BUNDLE_TOO_BIG');
  });
});

describe('the release file', () => {
  test.each<[string, Readonly<Record<string, string>>, string, string]>([
    ['that is missing', {}, 'slipway.yaml', 'RELEASE_FILE_ABSENT'],
    ['of 2 MB', { 'slipway.yaml': '#'.repeat(2_000_000) }, 'slipway.yaml', 'RELEASE_FILE_TOO_BIG'],
    ['with a missing profile', { 'slipway.yaml': HEAD }, 'slipway.yaml', 'PROFILE_ABSENT'],
  ])('given one %s, then it is refused', async (_, files, name, code) => {
    const profile = code === 'PROFILE_ABSENT' ? 'lokal' : 'local';
    expect(await codeOf(gatherFacts(join(folder(files), name), profile))).toBe(code);
  });

  test('given another encoding, then it is refused', async () => {
    const root = folder({});
    writeFileSync(join(root, 'slipway.yaml'), Buffer.from(`${HEAD}# caf\u00e9`, 'latin1'));
    expect(await codeOf(gatherFacts(root, 'local'))).toBe('RELEASE_FILE_BINARY');
  });

  test('given a profile beside it, then that profile is used', async () => {
    const root = folder({ 'slipway.yaml': HEAD, 'profiles/local.yaml': 'rehearsal: false\n' });
    expect((await gatherFacts(root, 'local')).facts.profile.content.rehearsal).toBe(false);
  });
});

describe('git', () => {
  test('given an uncommitted change, then the plan reads the commit', async () => {
    const root = repository();
    writeFileSync(join(root, 'skiff/version.py'), 'version = "9.9"\n');
    const made = await plan(join(root, 'release'), 'local');
    expect(made.release.version).toBe('1.0');
    expect(made.source).toEqual({ kind: 'git', commit: git(root, 'rev-parse', 'HEAD'), branch: 'main' });
  });

  test('given a folder of a repository or a bare one, then it stands for the whole commit', async () => {
    const root = repository();
    const bare = join(folder({}), 'bare.git');
    git(root, 'clone', '-q', '--bare', root, bare);
    const commit = git(root, 'rev-parse', 'HEAD');
    const tars = [root, join(root, 'release'), bare].map(async (at) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of (await archive(at, commit)).tar) pieces.push(piece);
      return Buffer.concat(pieces).toString('latin1');
    });
    const [whole, ...others] = await Promise.all(tars);
    expect(whole).toContain('skiff/version.py');
    expect(others.every((tar) => tar === whole)).toBe(true);
  });

  test('given a source folder, then its last change counts, whatever else was committed', async () => {
    const root = repository();
    const changed = git(root, 'rev-parse', 'HEAD');
    const store = createDirectoryStore(join(folder({}), 'store'));
    const text = FROM_GIT.replace('commit: main', 'commit: main, folder: skiff').replace('skiff/version', 'version');
    writeFileSync(join(root, 'release/slipway.yaml'), text);
    git(root, 'commit', '-q', '-a', '-m', 'another folder');
    const made = (await submit(join(root, 'release'), 'local', { store, signatures: fakeSignatures })).plan;
    expect(made.release.version).toBe('1.0');
    expect(made.source).toEqual({ kind: 'git', commit: changed, folder: 'skiff', branch: 'main' });
    const found = await store.read<GitSource>(records.gitSource(changed, 'skiff'));
    const pieces: Uint8Array[] = [];
    for await (const piece of await store.get(found!.digest)) pieces.push(piece);
    const tar = Buffer.concat(pieces).toString('latin1');
    expect(tar).toContain('version.py');
    expect(tar).not.toMatch(/skiff\/version|slipway.yaml/);
  });

  test.each([
    ['a missing folder', 'commit: main', 'commit: main, folder: raft', 'SOURCE_FOLDER_ABSENT'],
    ['a folder that is a file', 'commit: main', 'commit: main, folder: skiff/version.py', 'SOURCE_FOLDER_ABSENT'],
    ['the whole repository as folder', 'commit: main', 'commit: main, folder: .', 'WRONG_VALUE'],
    ['a missing commit', 'commit: main', 'commit: v9', 'COMMIT_ABSENT'],
    ['a folder that is no repository', 'git: ..', 'git: /nowhere', 'GIT_ABSENT'],
    ['an option in place of a commit', 'commit: main', "commit: '--all'", 'WRONG_VALUE'],
  ])('given %s, then it is refused', async (_, from, to, code) => {
    const root = repository();
    writeFileSync(join(root, 'release/slipway.yaml'), FROM_GIT.replace(from, to));
    expect(await codeOf(plan(join(root, 'release'), 'local'))).toBe(code);
  });
});

describe('uncommitted files', () => {
  test('given changes in the repository, then they are named, except those of the bundle', async () => {
    const root = repository();
    expect(await uncommitted(join(root, 'release'))).toEqual([]);
    writeFileSync(join(root, 'skiff/version.py'), 'version = "9.9"\n');
    writeFileSync(join(root, 'new.py'), '');
    writeFileSync(join(root, 'release/slipway.yaml'), `${FROM_GIT}\n`);
    writeFileSync(join(root, 'release/smoke.py'), '');
    expect(await uncommitted(join(root, 'release/slipway.yaml'))).toEqual(['skiff/version.py', 'new.py']);
  });

  test('given a project beside the release file, then its files are named', async () => {
    const root = folder({ 'slipway.yaml': FROM_GIT.replace('..', '.'), 'a.py': '' });
    git(root, 'init', '-q', '-b', 'main');
    git(root, 'add', 'a.py');
    git(root, 'commit', '-q', '-m', 'one');
    expect(await uncommitted(root)).toEqual([]);
    writeFileSync(join(root, 'b.py'), '');
    expect(await uncommitted(root)).toEqual(['b.py']);
  });

  test('given another commit to release, then they do not matter', async () => {
    const root = repository();
    git(root, 'checkout', '-q', '-b', 'work');
    git(root, 'commit', '-q', '--allow-empty', '-m', 'two');
    writeFileSync(join(root, 'new.py'), '');
    expect(await uncommitted(join(root, 'release'))).toEqual([]);
  });
});

describe('submit', () => {
  test('given two clones, then plan, bundle and source are stored under the same digests', async () => {
    const first = repository();
    const second = join(folder({}), 'clone');
    execFileSync('git', ['clone', '-q', first, second]);
    const store = createDirectoryStore(join(folder({}), 'store'));
    const one = await submit(join(first, 'release'), 'local', { store, signatures: fakeSignatures });
    const two = await submit(join(second, 'release', 'slipway.yaml'), 'local', { store, signatures: fakeSignatures });
    expect(two.digest).toBe(one.digest);
    expect(one.digest).toBe(digestOf(one.plan, sha256));
    expect(await createPlanner(store, fakeSignatures, () => []).load(one.digest)).toEqual(
      JSON.parse(JSON.stringify(one.plan)),
    );
    for (const file of one.plan.bundle) expect(await store.has(file.digest)).toBe(true);
    const source = await store.read<{ epoch: number }>(records.gitSource(git(first, 'rev-parse', 'HEAD')));
    expect(source).toMatchObject({
      digest: expect.stringMatching(/^sha256:/),
      epoch: Number(git(first, 'show', '-s', '--format=%ct')),
    });
  });
});
