/** @needs tiny-disk */
import { createWriteStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, deflateRawSync, crc32 } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { unpackTree } from '../../src/activities/source/unpack.js';
import { createArchives } from '../../src/adapters/archive/index.js';
import { createMeter } from '../../src/adapters/archive/limits.js';
import { directoryRow, dosStamp, endRecord, localHeader } from '../../src/adapters/archive/zip-records.js';
import { writeZip } from '../../src/adapters/archive/zip-write.js';
import { problemOf } from '../adapters/http/a-server.js';
import { inTinyDisk } from '../support/in-tiny-disk.js';
import { gzipBomb } from './a-bomb.js';

const MIB = 2 ** 20;
const archives = createArchives();
let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'slipway-attack-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const unpacked = (path: string): Promise<unknown> =>
  problemOf(unpackTree(archives, path, at('into'), { strip: false }));

interface Entry extends Pick<Header, 'name'> {
  readonly type?: 'file' | 'symlink';
  readonly linkname?: string;
}
async function tarOf(entries: Iterable<Entry>, name = 'skiff-1.tar.gz'): Promise<string> {
  const tar = pack();
  const written = pipeline(tar, createGzip({ level: 1 }), createWriteStream(at(name)));
  for (const entry of entries) tar.entry({ ...entry, size: 0 }, '');
  tar.finalize();
  await written;
  return at(name);
}

/** A zip of members that hold these bytes. */
async function zipOf(members: Readonly<Record<string, Buffer>>, name = 'skiff-1-py3-none-any.whl'): Promise<string> {
  const parts = Object.entries(members).map(([member, bytes]) => {
    const packed = deflateRawSync(bytes);
    const sizes = { crc: crc32(bytes), packedSize: packed.length, size: bytes.length };
    const how = { flags: 0, method: 8, madeBy: (3 << 8) | 20, externalAttributes: 0o100644 * 2 ** 16 };
    return { header: { rawName: Buffer.from(member), ...sizes, ...how }, bytes: async () => chunks(packed) };
  });
  await writeZip(at(name), parts, 0);
  return at(name);
}
async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

describe('[M5] an archive that decodes to far more than its size', () => {
  const tooLarge = {
    code: 'ARCHIVE_TOO_LARGE',
    class: 'config',
    message: expect.stringMatching(/decodes to more than 400 times/),
  };

  test('given one large wheel member, then it is refused', async () => {
    expect(await unpacked(await zipOf({ a: Buffer.alloc(100 * MIB) }))).toMatchObject(tooLarge);
  });

  test('given a wheel of many small members, then it is refused', async () => {
    const mebibyte = Buffer.alloc(MIB);
    const members = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`m/${index}`, mebibyte]));
    expect(await unpacked(await zipOf(members))).toMatchObject(tooLarge);
  });

  test('given an sdist compressed a thousand to one, then it is refused, even if none of it is needed', async () => {
    const tar = pack();
    tar.entry({ name: 'skiff-1/zeros', size: 1_400 * MIB });
    const header = await new Promise<Buffer>((resolve) => (tar as unknown as Readable).once('data', resolve));
    const bomb = gzipBomb(1_400);
    // The stream of zeros, with the header as a stored block before it.
    const stored = Buffer.concat([Buffer.from([0, 0, 2, 0xff, 0xfd]), header]);
    writeFileSync(at('skiff-1.tar.gz'), Buffer.concat([bomb.subarray(0, 10), stored, bomb.subarray(10)]));
    expect(await problemOf(archives.unpack(at('skiff-1.tar.gz'), at('into'), () => null))).toMatchObject(tooLarge);
  });
});

test('[M5] given an archive of more members than any source has, then it is refused', async () => {
  const member = { rawName: Buffer.from('m'), flags: 0, method: 0, crc: 0, packedSize: 0, size: 0 };
  const [header, stamp] = [{ ...member, madeBy: 0, externalAttributes: 0 }, dosStamp(0)];
  // All rows of the directory name the same member: 250,001 members of their own take seconds to write.
  const [local, row] = [localHeader(header, stamp), directoryRow(header, stamp, 0)];
  const rows = Buffer.alloc(row.length * 250_001, row);
  writeFileSync(at('skiff-1.jar'), Buffer.concat([local, rows, endRecord(250_001, rows.length, local.length)]));
  const problem = await problemOf(archives.unpack(at('skiff-1.jar'), at('into'), () => null));
  expect(problem).toMatchObject({ code: 'ARCHIVE_TOO_LARGE', message: expect.stringContaining('250000 members') });
});

test('[M5] given an archive that does not declare how many members it has, then they are counted', async () => {
  const meter = createMeter('skiff-1.tar.gz', 1);
  for (let count = 0; count < 250_000; count += 1) meter.member('m');
  expect(await problemOf(Promise.resolve().then(() => meter.member('m')))).toMatchObject({
    code: 'ARCHIVE_TOO_LARGE',
    message: expect.stringContaining('250000 members'),
  });
});

test.each([
  ['a path of a thousand folders', 'a/'.repeat(1_000)],
  ['a path of many bytes', `${'abcdefgh/'.repeat(60)}${'x'.repeat(600)}`],
  ['a name that no file system takes', 'x'.repeat(300)],
])('[M5] given %s, then it is refused before anything is made of it', async (_, name) => {
  for (const path of [await tarOf([{ name }]), await zipOf({ [name]: Buffer.from('x') })])
    expect(await unpacked(path)).toMatchObject({ code: 'ARCHIVE_TOO_LARGE' });
});

test.each<[string, readonly Entry[]]>([
  ['a link', [{ name: 'up', type: 'symlink', linkname: 'here/../outside' }]],
  [
    'a chain',
    [
      { name: 'one', type: 'symlink', linkname: 'two/../..' },
      { name: 'three', type: 'symlink', linkname: 'one/later' },
    ],
  ],
  [
    'a loop',
    [
      { name: 'a', type: 'symlink', linkname: 'b' },
      { name: 'b', type: 'symlink', linkname: 'a' },
    ],
  ],
])('[L] given %s to a missing path outside, then it is refused', async (_, links) => {
  const path = await tarOf([{ name: 'here', type: 'symlink', linkname: '.' }, ...links]);
  expect(await unpacked(path)).toMatchObject({
    code: 'ARCHIVE_UNSAFE',
    message: expect.stringContaining('a link out'),
  });
  expect(existsSync(join(folder, 'outside'))).toBe(false);
});

test('[L] given a link to a missing path inside, then it is made', async () => {
  const path = await tarOf([{ name: 'later', type: 'symlink', linkname: 'made/by/the/build' }]);
  expect(await unpacked(path)).toBeNull();
});

const random = (bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 7919 * index) & 0xff));

describe.each([
  ['one large member', { large: random(3 * MIB) }],
  ['many small members', Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`s${index}`, random(40_000)]))],
])('[M5] given a wheel of %s', (_, members) => {
  test('when the disk is full, then it is not reported as a broken wheel', async () => {
    const problems = await inTinyDisk(await zipOf(members), 'full');
    expect(problems).toMatchObject([{ code: 'DISK_FULL', class: 'infra' }]);
  });

  test('when the disk is read-only, then it is reported neither as a broken wheel nor as our bug', async () => {
    const problems = await inTinyDisk(await zipOf(members), 'read-only');
    expect(problems).toMatchObject([{ code: 'NOT_PERMITTED', class: 'infra' }]);
  });
});

test('[L] given a store on a read-only disk, then it is not reported as our bug', async () => {
  expect(await inTinyDisk('', 'read-only store')).toMatchObject([{ code: 'STORE_REFUSED', class: 'infra' }]);
});
