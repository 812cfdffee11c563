import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinder } from '../../../src/adapters/process/binds.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { BUILD_ROOT } from '../../../src/model/build-root.js';

const NOBODY = { uid: 65534, gid: 65534 };
const binder = findBinder();
// Why it may be skipped: this machine gives this user no mount namespace.
const withNamespaces = binder === null ? describe.skip : describe;

function twoFolders() {
  const workspace = mkdtempSync(join(tmpdir(), 'slipway-binds-'));
  const [folder, cache] = [join(workspace, 'step'), join(workspace, 'cache')];
  for (const path of [workspace, folder, cache]) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o777);
  }
  const binds = [
    { folder, name: BUILD_ROOT },
    { folder: cache, name: join(BUILD_ROOT, 'cache') },
  ];
  return { folder, cache, binds };
}

withNamespaces('a program with bound folders', () => {
  async function run(argv: readonly string[] | string, cwd = BUILD_ROOT) {
    const folders = twoFolders();
    mkdirSync(join(folders.folder, 'work'));
    let output = '';
    const programs = createPrograms({ running: join(folders.cache, 'running') });
    const exit = await programs.run({
      argv,
      cwd,
      env: { PATH: process.env['PATH']! },
      limitMs: 60_000,
      signal: new AbortController().signal,
      onOutput: (text) => void (output += text),
      binds: folders.binds,
    });
    return { ...folders, exit, output };
  }

  test('works in them under their names, and what it writes is in the folders', async () => {
    const { folder, cache, output } = await run(
      'pwd; echo one > here; echo two > ../cache/there',
      join(BUILD_ROOT, 'work'),
    );
    expect(output).toBe(`${join(BUILD_ROOT, 'work')}\n`);
    expect(readFileSync(join(folder, 'work', 'here'), 'utf8')).toBe('one\n');
    expect(readFileSync(join(cache, 'there'), 'utf8')).toBe('two\n');
  });

  test('gets its arguments as they are and ends with its own status', async () => {
    const { exit, output } = await run(['sh', '-c', 'printf "%s|" "$@"; exit 7', 'sh', 'a b', '--', '$HOME']);
    expect([exit.code, output]).toEqual([7, 'a b|--|$HOME|']);
  });

  test('is the only one that sees them', async () => {
    await run('touch only-here');
    expect(existsSync(join(BUILD_ROOT, 'only-here'))).toBe(false);
  });
});

// Why it may be skipped: only root can become another user.
(process.getuid?.() === 0 && findBinder(NOBODY) !== null ? test : test.skip)(
  'a user without rights sees the folders too, and stays itself',
  () => {
    const { folder, binds } = twoFolders();
    writeFileSync(join(folder, 'mine'), '');
    const [program, ...rest] = findBinder(NOBODY)!(['sh', '-c', 'id -u; ls'], BUILD_ROOT, binds);
    expect(spawnSync(program!, rest, { ...NOBODY, encoding: 'utf8', cwd: '/' }).stdout).toBe('65534\ncache\nmine\n');
  },
);
