/** @needs python */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack as tarPack } from 'tar-stream';
import { unpackTree } from '../../../src/activities/source/unpack.js';
import { createArchives } from '../../../src/adapters/archive/index.js';

const archives = createArchives();
const scratch = (): string => mkdtempSync(join(tmpdir(), 'slipway-archive-'));
const python = (code: string, ...argv: string[]): string =>
  execFileSync('python3', ['-c', code, ...argv], { encoding: 'utf8' });

function aTree(): string {
  const folder = join(scratch(), 'tree');
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src', 'a.c'), 'int a;\n');
  writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('src/a.c', join(folder, 'link'));
  return folder;
}

/** A tar file that says whatever a test wants it to say. */
async function tarOf(
  ...headers: { name: string; type?: 'file' | 'symlink' | 'link'; linkname?: string; text?: string }[]
): Promise<string> {
  const path = join(scratch(), 'skiff-1.tar');
  const tar = tarPack();
  for (const { text = 'x', type = 'file', ...header } of headers)
    tar.entry({ ...header, type } as never, type === 'file' ? text : '');
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar as unknown as AsyncIterable<Buffer>) parts.push(part);
  writeFileSync(path, Buffer.concat(parts));
  return path;
}

describe('packing', () => {
  test('given the same tree with other times and modes, then the archive has the same bytes', async () => {
    const [one, two] = [aTree(), aTree()];
    utimesSync(join(two, 'src', 'a.c'), 1, 1);
    const [a, b] = [join(scratch(), 'a.tar.gz'), join(scratch(), 'b.tar.gz')];
    await archives.pack(one, a, { epoch: 1_700_000_000, top: 'skiff-1' });
    await archives.pack(two, b, { epoch: 1_700_000_000, top: 'skiff-1' });
    expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
  });

  test('given an archive, then tar reads it with the given times and owners', async () => {
    const path = join(scratch(), 'a.tar');
    await archives.pack(aTree(), path, { epoch: 1_700_000_000, top: 'skiff-1' });
    const listed = execFileSync('tar', ['--utc', '--numeric-owner', '-tvf', path], { encoding: 'utf8' });
    expect(listed).toMatch(/-rwxr-xr-x 0\/0 +10 2023-11-14 22:13 skiff-1\/run\.sh/);
    expect(listed).toMatch(/skiff-1\/link -> src\/a\.c/);
  });
});

describe('unpacking', () => {
  test.each([
    ['tar.gz', 'w:gz'],
    ['tar.bz2', 'w:bz2'],
    ['tar.xz', 'w:xz'],
  ])('given a .%s written by Python, then its tree comes out', async (ending, mode) => {
    const [tree, into] = [aTree(), join(scratch(), 'into')];
    const path = join(scratch(), `skiff-1.${ending}`);
    python(`import sys, tarfile; tarfile.open(sys.argv[2], "${mode}").add(sys.argv[1], "skiff-1")`, tree, path);
    await unpackTree(archives, path, into);
    expect(readdirSync(into).sort()).toEqual(['link', 'run.sh', 'src']);
    expect(readFileSync(join(into, 'link'), 'utf8')).toBe('int a;\n');
  });

  test('given a zip written by Python, then its tree comes out', async () => {
    const path = join(scratch(), 'skiff-1.zip');
    python(
      'import shutil, sys; shutil.make_archive(sys.argv[2][:-4], "zip", sys.argv[1], "tree")',
      join(aTree(), '..'),
      path,
    );
    const into = join(scratch(), 'into');
    await unpackTree(archives, path, into);
    expect(readFileSync(join(into, 'src', 'a.c'), 'utf8')).toBe('int a;\n');
  });

  test('given a tar of our own, then it has no top folder', async () => {
    const path = join(scratch(), 'tree.tar');
    await archives.pack(aTree(), path, { epoch: 1 });
    const into = join(scratch(), 'into');
    await unpackTree(archives, path, into);
    expect(readdirSync(into).sort()).toEqual(['link', 'run.sh', 'src']);
  });

  test.each<[string, Parameters<typeof tarOf>, string]>([
    ['..', [{ name: 'skiff-1/../../evil' }], 'skiff-1/../../evil'],
    ['a link that leads outside', [{ name: 'skiff-1/a', type: 'symlink', linkname: '../../etc' }], 'skiff-1/a'],
    ['a hard link that leads outside', [{ name: 'skiff-1/a', type: 'link', linkname: '../b' }], 'skiff-1/a'],
    // Each link is harmless by its words: `up` leads to the folder itself, and `up/..` out of it.
    [
      'links that lead outside together',
      [
        { name: 'here', type: 'symlink', linkname: '.' },
        { name: 'up', type: 'symlink', linkname: 'here/..' },
      ],
      'up',
    ],
    ['a file below a link', [{ name: 'd/l', type: 'symlink', linkname: 'm' }, { name: 'd/l/evil' }], 'd/l'],
  ])("given %s, then it is refused with the member's name", async (_, headers, member) => {
    const path = await tarOf(...headers);
    const refusal = unpackTree(archives, path, join(scratch(), 'into'));
    await expect(refusal).rejects.toMatchObject({
      first: { code: 'ARCHIVE_UNSAFE', message: expect.stringContaining(member) },
    });
  });

  test('given two top folders where one is stripped, then it is refused', async () => {
    const path = await tarOf({ name: 'skiff-1/a' }, { name: 'other/b' });
    const refusal = unpackTree(archives, path, join(scratch(), 'into'), { strip: true });
    await expect(refusal).rejects.toMatchObject({ first: { code: 'ARCHIVE_UNSAFE' } });
  });

  test.each([
    ['no archive', Buffer.from('hello, this is text\n'.repeat(60))],
    ['half a gzip', Buffer.from('1f8b0800000000000003', 'hex')],
    ['half a zip', Buffer.from('PK\x03\x04rest')],
  ])('given %s, then it is refused as unreadable', async (_, bytes) => {
    const path = join(scratch(), 'skiff-1.tar.gz');
    writeFileSync(path, bytes);
    await expect(unpackTree(archives, path, join(scratch(), 'into'))).rejects.toMatchObject({
      first: { code: 'ARCHIVE_UNREADABLE' },
    });
  });
});

describe('normalising a zip', () => {
  const MAKE = `
import sys, time, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    for name in sys.argv[3:]:
        z.writestr(zipfile.ZipInfo(name, time.localtime(int(sys.argv[2]))[:6]), name * 99, zipfile.ZIP_DEFLATED)
`;
  const make = (time: number, ...names: string[]): string => {
    const path = join(scratch(), 'a.jar');
    python(MAKE, path, String(time), ...names);
    return path;
  };

  test('given other times and another order, then the bytes are the same, and zip programs read them', async () => {
    const one = make(1_600_000_000, 'META-INF/MANIFEST.MF', 'a/B.class', 'a/A.class');
    const two = make(1_650_000_000, 'a/A.class', 'META-INF/MANIFEST.MF', 'a/B.class');
    await archives.normaliseZip(one, 1_700_000_000);
    await archives.normaliseZip(two, 1_700_000_000);
    expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
    const listed = python(
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist(), z.infolist()[0].date_time)',
      one,
    );
    expect(listed.trim()).toBe("None ['META-INF/MANIFEST.MF', 'a/A.class', 'a/B.class'] (2023, 11, 14, 22, 13, 20)");
  });
});

test('given members of every size, then they come out whole', async () => {
  const sizes = [0, 1, 65_536, 65_537, 300_000];
  const path = await tarOf(...sizes.map((size) => ({ name: `skiff-1/${size}`, text: 'x'.repeat(size) })));
  const into = scratch();
  await unpackTree(archives, path, into, { strip: true });
  expect(sizes.map((size) => readFileSync(join(into, String(size)), 'utf8').length)).toEqual(sizes);
});
