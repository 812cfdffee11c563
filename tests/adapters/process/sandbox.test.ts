/** @needs sandbox */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cell, Command } from '../../../src/activities/ports.js';
import { home } from '../../../src/adapters/home.js';
import { createPrograms } from '../../../src/adapters/process/programs.js';
import { findSandbox, layerFolders } from '../../../src/adapters/process/sandbox.js';
import { BUILD_ROOT } from '../../../src/model/build-root.js';
import { until } from '../../support/until.js';

const NOBODY = { uid: 65534, gid: 65534 };

/** Folders of a step, open to any user. */
function aCell(more: Partial<Cell> = {}) {
  const base = mkdtempSync(join(tmpdir(), 'slipway-cell-'));
  const [folder, files, tmp, cache, layer] = ['work', 'files', 'tmp', 'cache', 'layer'].map((name) => join(base, name));
  for (const path of [base, folder!, files!, tmp!, cache!, layer!, join(layer!, 'upper')]) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o777);
  }
  writeFileSync(join(cache!, 'shared'), 'sound\n');
  chmodSync(join(cache!, 'shared'), 0o666);
  const cell: Cell = {
    network: false,
    tmp: tmp!,
    folders: [
      { folder: folder!, name: join(BUILD_ROOT, 'work') },
      { folder: files!, name: join(BUILD_ROOT, 'files'), readOnly: true },
      { folder: cache!, name: join(BUILD_ROOT, 'cache'), layer: layer! },
    ],
    ...more,
  };
  return { base, folder: folder!, cache: cache!, cell };
}

async function run(
  argv: Command['argv'],
  { cell, base, ...more } = aCell(),
  command: Partial<Command> = {},
  graceMs = 60_000,
) {
  let output = '';
  const programs = createPrograms({ running: join(base, 'running'), graceMs });
  const exit = await programs.run({
    argv,
    cell,
    cwd: join(BUILD_ROOT, 'work'),
    env: { PATH: process.env['PATH']! },
    limitMs: 600_000,
    signal: new AbortController().signal,
    onOutput: (text) => void (output += text),
    ...command,
  });
  return { ...more, exit, output };
}

describe('a program in a sandbox', () => {
  test('when it works in its folders, then they have fixed names, and what it writes is in them', async () => {
    const { folder, output } = await run(
      'pwd; echo one > here; echo two > /dev/stderr; echo x > ../files/no || echo refused',
    );
    expect(output).toContain(`${BUILD_ROOT}/work\n`);
    expect(output).toContain('two\n');
    expect(output).toContain('refused\n');
    expect(readFileSync(join(folder, 'here'), 'utf8')).toBe('one\n');
    expect(existsSync(join(BUILD_ROOT, 'work'))).toBe(false);
  });

  test('when it writes into a cache, then only later programs of the step see that', async () => {
    const around = aCell();
    const first = await run('cat ../cache/shared; echo poison > ../cache/shared; echo more > ../cache/more', around);
    const second = await run('cat ../cache/shared ../cache/more', around);
    expect([first.output, second.output]).toEqual(['sound\n', 'poison\nmore\n']);
    expect(readFileSync(join(around.cache, 'shared'), 'utf8')).toBe('sound\n');
    expect(existsSync(join(around.cache, 'more'))).toBe(false);
  });

  test('given arguments, then it gets them unchanged, and ends with its own status or signal', async () => {
    const { exit, output } = await run(['sh', '-c', 'printf "%s|" "$@"; exit 7', 'sh', 'a b', '--', '$HOME']);
    expect([exit.code, output]).toEqual([7, 'a b|--|$HOME|']);
    expect((await run('kill -SEGV $$')).exit.code).toBe(139);
  });

  test('when it is ended by TERM, then it has its grace time', async () => {
    const abort = new AbortController();
    const around = aCell();
    const running = run('trap "echo tidied; exit 3" TERM; touch ready; while :; do sleep 0.05; done', around, {
      signal: abort.signal,
    });
    await until(() => existsSync(join(around.folder, 'ready')));
    abort.abort();
    expect((await running).output).toContain('tidied\n');
  });

  test('when its shell ends at once, then it still has its grace time, and the shell starts nothing more', async () => {
    const abort = new AbortController();
    const around = aCell();
    const slow = `sh -c 'trap "sleep 0.3; echo tidied; exit 3" TERM; touch ready; while :; do sleep 0.05; done' || echo next`;
    const running = run(slow, around, { signal: abort.signal });
    await until(() => existsSync(join(around.folder, 'ready')));
    abort.abort();
    const { exit, output } = await running;
    expect([exit.code, output]).toEqual([143, expect.stringMatching(/^(Terminated\n)*tidied\n$/)]);
  });

  test.each([
    ['in its own session', 'setsid sh child & wait', 143],
    ['of a first program that handles TERM and ends at once', 'trap "exit 3" TERM; sh child & wait', 3],
    ['of a first program that ignores its children', 'sh child & exec sleep 600', 143],
  ])('when it has a child %s, then that child still has its grace time', async (_, line, code) => {
    const abort = new AbortController();
    const around = aCell();
    const child = 'trap "sleep 0.3; echo tidied > left; exit" TERM; touch ready; while :; do sleep 0.05; done';
    writeFileSync(join(around.folder, 'child'), child);
    const running = run(line, around, { signal: abort.signal });
    await until(() => existsSync(join(around.folder, 'ready')));
    abort.abort();
    expect((await running).exit.code).toBe(code);
    expect(existsSync(join(around.folder, 'left'))).toBe(true);
  });

  test('when it ignores TERM in any session, then it is killed after the grace time', async () => {
    const abort = new AbortController();
    const around = aCell();
    const deaf = `trap "" TERM; touch ready; while :; do sleep 0.05; done`;
    const running = run(`setsid sh -c '${deaf}' & wait`, around, { signal: abort.signal }, 500);
    await until(() => existsSync(join(around.folder, 'ready')));
    abort.abort();
    expect((await running).exit.code).toBe(137);
  });

  test('when it is missing, then the code is the same as without a sandbox', async () => {
    await expect(run(['no-such-program'])).rejects.toMatchObject({ first: { code: 'PROGRAM_MISSING' } });
  });

  test('given files of another user number in a tar, then it unpacks them without a warning', async () => {
    const line = 'echo x > a; tar --owner=4711 --group=4711 -cf a.tar a; tar -xf a.tar && echo unpacked';
    const env = { PATH: process.env['PATH']!, TAR_OPTIONS: '--no-same-owner' };
    expect((await run(line, aCell(), { env })).output).toBe('unpacked\n');
  });
});

// Why it may be skipped: only root can become another user.
(process.getuid?.() === 0 ? test : test.skip)(
  'given a user without rights, then it has the same sandbox and stays that user',
  () => {
    const { cell, base } = aCell();
    const env = { HOME: '/nonexistent', PATH: '/usr/bin:/bin' };
    const sandbox = findSandbox({ toolsBin: '/usr/bin', home: home(), env, user: NOBODY });
    if (typeof sandbox === 'string') throw new Error(sandbox);
    const line = 'id -u; echo poison > ../cache/shared; cat ../cache/shared; echo mine > here; cat here';
    const box = sandbox.wrap(['/bin/sh', '-c', line], { cwd: join(BUILD_ROOT, 'work'), env }, cell);
    for (const path of readdirSync(base, { recursive: true, encoding: 'utf8' }))
      chownSync(join(base, path), NOBODY.uid, NOBODY.gid);
    const { stdout, stderr } = spawnSync(box.argv[0]!, box.argv.slice(1), {
      ...NOBODY,
      env: box.env,
      encoding: 'utf8',
      cwd: '/',
    });
    expect(stdout + stderr).toBe('65534\npoison\nmine\n');
  },
);

test.each(['layer', 'layer/upper'])(
  'given a link of a container at %s, then no overlay is laid over its target',
  (at) => {
    const base = mkdtempSync(join(tmpdir(), 'slipway-layer-'));
    const victim = join(base, 'victim');
    mkdirSync(victim);
    if (at !== 'layer') mkdirSync(join(base, 'layer'));
    symlinkSync(victim, join(base, at));
    const [upper, own] = layerFolders(join(base, 'layer'));
    for (const path of [join(base, 'layer'), upper, own]) expect(lstatSync(path).isDirectory()).toBe(true);
    expect(readdirSync(victim)).toEqual([]);
  },
);

test('given a machine without bubblewrap, then the reason is available', () => {
  const programs = createPrograms({ running: '/nowhere', sandbox: 'bubblewrap is not there' });
  expect(programs.noSandbox).toBe('bubblewrap is not there');
});
