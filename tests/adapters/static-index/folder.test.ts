/** @needs tiny-disk */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '../../../src/adapters/static-index/folder.js';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'slipway-folder-'));

test('given a path, when it is created twice at once, then one writer wins and its text stays', async () => {
  const place = openFolder('cache', newFolder());
  const texts = ['one', 'two', 'three', 'four'];
  const won = await Promise.all(texts.map((text) => place.create('a/b/c', text)));
  expect(won.filter(Boolean)).toHaveLength(1);
  expect((await place.read('a/b/c'))?.text).toBe(texts[won.indexOf(true)]);
});

test('given files below a folder, when they are listed, then their paths are sorted, and an absent folder has none', async () => {
  const root = newFolder();
  const place = openFolder('cache', root);
  for (const path of ['x/b/2', 'x/a/1', 'y/3']) await place.create(path, path);
  expect(await place.list('x/')).toEqual(['x/a/1', 'x/b/2']);
  expect(await place.list('y/')).toEqual(['y/3']);
  expect(await openFolder('cache', `${root}/`).list('y')).toEqual(['y/3']);
  expect(await place.list('z/')).toEqual([]);
  expect(await place.read('z/1')).toBeNull();
  expect(readdirSync(join(root, '.tmp'))).toEqual([]);
});

test('given a local file, when it is created, then its digest is that of the bytes, and a second one is refused', async () => {
  const place = openFolder('cache', newFolder());
  const from = join(newFolder(), 'a.whl');
  writeFileSync(from, 'bytes');
  expect(await place.digest('f/a.whl')).toBeNull();
  expect(await place.createFile('f/a.whl', from)).toBe(true);
  writeFileSync(from, 'other');
  expect(await place.createFile('f/a.whl', from)).toBe(false);
  expect(await place.digest('f/a.whl')).toBe('sha256:277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9');
});

test('given files of a writer that was killed, when they are swept a day later, then they are gone, and newer ones stay', async () => {
  const root = newFolder();
  mkdirSync(join(root, '.tmp'));
  for (const name of ['1-old', '1-new']) writeFileSync(join(root, '.tmp', name), 'half');
  const yesterday = Date.now() / 1000 - 25 * 3600;
  utimesSync(join(root, '.tmp', '1-old'), yesterday, yesterday);
  await openFolder('cache', root).sweep();
  expect(readdirSync(join(root, '.tmp'))).toEqual(['1-new']);
  await openFolder('cache', newFolder()).sweep();
});

test('given a file where the folder should be, when it is used, then the problem names the path', async () => {
  const root = newFolder();
  writeFileSync(join(root, 'x'), 'a file');
  await expect(openFolder('cache', root).create('x/y', 'text')).rejects.toMatchObject({
    problems: [{ code: 'INDEX_BROKEN', class: 'infra', service: 'target:cache' }],
  });
});

/** Creates a file and swaps a page on a disk of its own, because root may write anywhere else. */
function writtenOn(mount: (at: string) => readonly string[]): unknown {
  const root = join(__dirname, '..', '..', '..');
  const at = newFolder();
  mkdirSync(join(at, 'index'));
  writeFileSync(join(at, 'index', 'page'), 'old');
  const code = `
    const { existsSync, writeFileSync } = require('node:fs');
    const { openFolder } = require('${root}/dist/adapters/static-index/folder.js');
    const page = '${at}/index/page';
    if (!existsSync(page)) writeFileSync(page, 'old');
    const place = openFolder('cache', '${at}/index');
    const long = 'x'.repeat(4 << 20);
    const told = (act) => act.then(() => 'written', (error) => error.problems[0]);
    (async () => {
      const problems = [await told(place.create('a/b', long)), await told(place.swap('page', long, null))];
      console.log(JSON.stringify({ problems, page: (await place.read('page')).text }));
    })();`;
  const argv = ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', ...mount(join(at, 'index'))];
  return JSON.parse(execFileSync('bwrap', [...argv, process.execPath, '-e', code], { encoding: 'utf8' }));
}

test.each<[string, (at: string) => readonly string[], object]>([
  ['a full disk', (at) => ['--size', String(2 ** 20), '--tmpfs', at], { code: 'INDEX_FULL', class: 'infra' }],
  ['a read-only disk', (at) => ['--ro-bind', at, at], { code: 'INDEX_DENIED', class: 'denied' }],
])('given %s, when files are written, then the problem says so, and a page stays as it was', (_, mount, problem) => {
  expect(writtenOn(mount)).toMatchObject({ problems: [problem, problem], page: 'old' });
});
