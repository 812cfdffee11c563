import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openWorkingTree } from '../../../src/adapters/facts/working-tree.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { once } from '../../../src/adapters/facts/index.js';
import { deps } from '../../../src/features/locks/node/deps.js';
import type { Artifact } from '../../../src/model/artifact.js';
import { DRIFTED_LOCK, records } from '../../../src/model/run-folder.js';
import { rehearsed } from '../../cli/a-run.js';
import { fakeIo, fakePorts } from '../../cli/fake-ports.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-deps-test-')));
afterAll(() => rmSync(root, { recursive: true }));

type Files = Readonly<Record<string, string>>;

/** A repository with these files, and a run that made these locks. @param drifted those whose step failed for it */
async function aRun(files: Files, made: Files, { source = '{ git: . }', name = 'skiff', drifted = {} as Files } = {}) {
  const folder = mkdtempSync(join(root, 'case-'));
  for (const [path, text] of Object.entries({ ...files, 'slipway.yaml': release(source, name) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  execFileSync('git', ['init', '--quiet', folder]);
  const store = createDirectoryStore(join(folder, '.store'));
  const { run } = rehearsed();
  await store.create(records.status(run), rehearsed());
  const kept = async (path: string, text: string): Promise<Artifact> => {
    const { digest, size } = await store.put(once(text));
    return { digest, size, kind: 'lock', name: `${path.replaceAll('/', '-')}.txt`, labels: { path } };
  };
  for (const [path, text] of Object.entries(made))
    await store.create(records.result(run, `deps/${path.replace('..', 'up')}`), {
      step: 'deps/x',
      artifacts: [await kept(path, text)],
    });
  for (const [path, text] of Object.entries(drifted))
    await store.create(records.memory(run, `deps/${path}/cp312`, DRIFTED_LOCK), await kept(path, text));
  const ports = { ...fakePorts({ store }), workingTree: (file: string) => openWorkingTree(file, store, folder) };
  const type = async (action: string) => {
    const io = fakeIo();
    const code = await deps({ args: { action }, options: {} }, io, ports).catch(
      (error: { problems: readonly { code: string; place?: { line?: number } }[] }) =>
        error.problems.map((one) => one.code).join(' '),
    );
    return { code, out: io.printed.join('\n'), err: io.chatter.join('\n') };
  };
  return { folder, type, read: (path: string) => readFileSync(join(folder, path), 'utf8') };
}

const release = (source: string, name: string): string =>
  `slipway: 1\nrelease: { name: ${name}, version: '1.0' }\nsource: ${source}\nplatforms: [linux-x86_64]\n`;

test('when locks differ, then check prints each diff and what to type, and exits with 1', async () => {
  const { type } = await aRun(
    { 'locks/a.lock': 'x==1\n', 'b.lock': 'y==1\n' },
    { 'locks/a.lock': 'x==2\n', 'b.lock': 'y==1\n', 'new.lock': 'z==1\n' },
  );
  const { code, out, err } = await type('check');
  expect(code).toBe(1);
  expect(out).toContain('--- a/locks/a.lock\n+++ b/locks/a.lock\n@@ -1 +1 @@\n-x==1\n+x==2\n');
  expect(out).toContain('--- /dev/null\n+++ b/new.lock\n@@ -0,0 +1 @@\n+z==1\n');
  expect(out).not.toContain('b/b.lock');
  expect(err).toBe('2 of 3 locks differ; `slipway deps write` puts what the run made there');
});

test('when locks are written to the working tree, then check finds no difference', async () => {
  const { type, read } = await aRun(
    { 'locks/a.lock': 'x==1\n', 'b.lock': 'y==1\n' },
    { 'locks/a.lock': 'x==2\n', 'b.lock': 'y==1\n', 'new/c.lock': 'z==1\n' },
  );
  expect(await type('write')).toEqual({
    code: 0,
    out: 'locks/a.lock\nnew/c.lock',
    err: '2 locks written, 1 as they were',
  });
  expect([read('locks/a.lock'), read('new/c.lock')]).toEqual(['x==2\n', 'z==1\n']);
  expect(await type('check')).toEqual({ code: 0, out: '', err: '3 locks compared: all are as this run made them' });
});

test('given a step that failed because its lock drifted, then write still finds that lock', async () => {
  const { type, read } = await aRun({ 'a.lock': 'x==1\n' }, {}, { drifted: { 'a.lock': 'x==2\n' } });
  expect(await type('write')).toMatchObject({ code: 0, out: 'a.lock' });
  expect(read('a.lock')).toBe('x==2\n');
});

test('given a source in a folder of the repository, then its locks are written there', async () => {
  const { type, read } = await aRun(
    { 'part/a.lock': '' },
    { 'a.lock': 'x==2\n' },
    { source: '{ git: ., folder: part }' },
  );
  expect(await type('write')).toMatchObject({ code: 0 });
  expect(read('part/a.lock')).toBe('x==2\n');
});

// No commit can hold a file of `.git`; its settings name programs that git runs.
test.each([
  ['.git/config', null],
  ['sub/.GIT/config', null],
  ['.git', null],
  ['a/config', '.git'],
])('[H3] given a lock at %s of git itself, by a link to %s, then it is not written', async (path, link) => {
  const { type, folder } = await aRun({}, { [path]: '[core]\n\tfsmonitor = evil\n' });
  if (link !== null) symlinkSync(link, join(folder, dirname(path)));
  expect((await type('write')).code).toBe('LOCK_PATH_UNSAFE');
  expect(readFileSync(join(folder, '.git/config'), 'utf8')).not.toContain('evil');
});

test('given a path through a link or outside the source, then the lock is not written', async () => {
  const { type, folder } = await aRun({ 'real.lock': 'x==1\n' }, { 'a.lock': 'x==2\n' });
  symlinkSync('real.lock', join(folder, 'a.lock'));
  expect((await type('write')).code).toBe('LOCK_PATH_UNSAFE');
  const away = await aRun({}, { 'out/a.lock': 'x==2\n' });
  symlinkSync(root, join(away.folder, 'out'));
  expect((await away.type('write')).code).toBe('LOCK_PATH_UNSAFE');
  const up = await aRun({}, { '../a.lock': 'x==2\n' });
  expect((await up.type('check')).code).toBe('LOCK_PATH_UNSAFE');
});

test.each<[string, string, Parameters<typeof aRun>, string]>([
  ['another action', 'diff', [{}, { 'a.lock': '' }], 'DEPS_ACTION_UNKNOWN'],
  ['a run without such locks', 'check', [{}, {}], 'NO_LOCKS'],
  ['a run of another release', 'check', [{}, { 'a.lock': '' }, { name: 'other' }], 'RUN_OF_ANOTHER_RELEASE'],
  [
    'an sdist',
    'check',
    [{}, { 'a.lock': '' }, { source: `{ sdist: skiff==1, sha256: ${'a'.repeat(64)} }` }],
    'WORKING_TREE_ABSENT',
  ],
  [
    'a folder that is no repository',
    'check',
    [{}, { 'a.lock': '' }, { source: '{ git: /nowhere }' }],
    'WORKING_TREE_ABSENT',
  ],
])('given %s, then it is refused', async (_, action, [files, made, more], code) =>
  expect((await (await aRun(files, made, more)).type(action)).code).toBe(code),
);
