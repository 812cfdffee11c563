/** @long @needs python */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createArchives } from '../../../src/adapters/archive/index.js';
import { refuse } from '../../../src/adapters/archive/refuse.js';

/** Real archives, made by Python's zipfile, and damaged byte by byte. */
const archives = createArchives();
const scratch = (): string => mkdtempSync(join(tmpdir(), 'slipway-zip-'));
const python = (code: string, ...argv: string[]): string =>
  execFileSync('python3', ['-c', code, ...argv], { encoding: 'utf8' });

const MAKE = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for name, way in (("a/stored.txt", zipfile.ZIP_STORED), ("b/packed.txt", zipfile.ZIP_DEFLATED)):
        info = zipfile.ZipInfo(name)
        info.compress_type = way
        with z.open(info, "w", force_zip64=sys.argv[2] == "zip64") as member:
            member.write(b"0123456789" * 20)
`;
const TEXT = '0123456789'.repeat(20);

const made = new Map<string, Buffer>();

/** An archive that Python makes once; each call returns a new copy. */
function copyOf(code: string, ...argv: string[]): string {
  const [path, what] = [join(scratch(), 'skiff-1.jar'), [code, ...argv].join()];
  const known = made.get(what);
  if (known === undefined) python(code, path, ...argv);
  else writeFileSync(path, known);
  made.set(what, known ?? readFileSync(path));
  return path;
}
const aZip = (way: 'plain' | 'zip64' = 'plain'): string => copyOf(MAKE, way);

const [END, ROW, LOCAL] = ['PK\x05\x06', 'PK\x01\x02', 'PK\x03\x04'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** Offset of the nth record with the signature. */
function find(bytes: Buffer, signature: Buffer, nth = 0): number {
  let at = bytes.indexOf(signature);
  for (let count = 0; count < nth; count += 1) at = bytes.indexOf(signature, at + 1);
  return at;
}

type Damage = (bytes: Buffer) => Buffer | void;

async function unpackDamaged(damage: Damage): Promise<unknown> {
  const path = aZip();
  const bytes = readFileSync(path);
  writeFileSync(path, damage(bytes) ?? bytes);
  return archives.unpack(path, join(scratch(), 'into'), ({ name }) => name).catch((error: unknown) => error);
}

const unreadable = (why: string): unknown => ({
  first: {
    code: 'ARCHIVE_UNREADABLE',
    message: expect.stringMatching(new RegExp(`^skiff-1\\.jar cannot be read as an archive: ${why}`)),
  },
});

/** Fields of a directory row: CRC-32 at 16, packed size at 20, size at 24; offset of the member at 42. */
test.each<[string, Damage, string]>([
  [
    'a wrong CRC of a stored member',
    (b) => void b.writeUInt32LE(7, find(b, ROW) + 16),
    'member "a/stored.txt" has the CRC-32 [0-9a-f]{8}, and 00000007 is declared',
  ],
  [
    'a wrong CRC of a packed member',
    (b) => void b.writeUInt32LE(7, find(b, ROW, 1) + 16),
    'member "b/packed.txt" has the CRC-32 ',
  ],
  [
    'an altered byte of a stored member',
    (b) => void b.write('X', find(b, LOCAL) + 30 + 'a/stored.txt'.length),
    'member "a/stored.txt" has the CRC-32 ',
  ],
  [
    'a size that is too small',
    (b) => void b.writeUInt32LE(199, find(b, ROW, 1) + 24),
    'member "b/packed.txt" has more than the 199 bytes that are declared',
  ],
  [
    'a size that is too large',
    (b) => void b.writeUInt32LE(201, find(b, ROW, 1) + 24),
    'member "b/packed.txt" has 200 bytes, and 201 are declared',
  ],
  [
    'two sizes of a stored member',
    (b) => void b.writeUInt32LE(201, find(b, ROW) + 24),
    '.*size mismatch for stored file',
  ],
  [
    'packed bytes past the end of the file',
    (b) => void b.writeUInt32LE(2 ** 31, find(b, ROW, 1) + 20),
    'member "b/packed.txt" file data overflows file bounds',
  ],
  [
    'a member past the end of the file',
    (b) => void b.writeUInt32LE(2 ** 31, find(b, ROW, 1) + 42),
    'member "b/packed.txt" ',
  ],
  [
    'another packing than deflate',
    (b) => void b.writeUInt16LE(12, find(b, ROW, 1) + 10),
    'member "b/packed.txt" unsupported compression method: 12',
  ],
  [
    'an encrypted member',
    (b) => void b.writeUInt16LE(1, find(b, ROW, 1) + 8),
    'member "b/packed.txt" entry is encrypted',
  ],
  ['only its first half', (b) => b.subarray(0, b.length / 2), 'End of central directory record signature not found'],
  ['a lost last byte', (b) => b.subarray(0, b.length - 1), ''],
  [
    'a count that is too large',
    (b) => void b.writeUInt16LE(60_000, find(b, END) + 10),
    '(invalid central directory|unexpected EOF)',
  ],
  [
    'a count that is too small',
    (b) => void b.writeUInt16LE(1, find(b, END) + 10),
    'it declares 1 members and holds more',
  ],
  ['a directory past the end of the file', (b) => void b.writeUInt32LE(2 ** 31, find(b, END) + 16), ''],
])(
  'given a zip with %s, when it is unpacked, then the problem names file, member and reason',
  async (_, damage, why) => {
    expect(await unpackDamaged(damage)).toMatchObject(unreadable(why) as object);
  },
);

const ABSURD = `
import struct, sys
with open(sys.argv[1], "wb") as f:
    f.write(struct.pack("<LQHHLLQQQQ", 0x06064b50, 44, 45, 45, 0, 0, 2**50, 2**50, 2**60, 0))
    f.write(struct.pack("<LLQL", 0x07064b50, 0, 0, 1))
    f.write(struct.pack("<LHHHHLLH", 0x06054b50, 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0))
`;

test('given a file of 98 bytes that declares 2^50 members, when it is unpacked, then it is refused at once', async () => {
  const path = join(scratch(), 'skiff-1.jar');
  python(ABSURD, path);
  // A table for the declared rows would not fit into memory: the test would not end.
  await expect(archives.unpack(path, join(scratch(), 'into'), ({ name }) => name)).rejects.toMatchObject(
    unreadable('(Invalid|invalid|unexpected|End of)') as object,
  );
});

test('given a wrong CRC in a member that is filtered out, then the others are unpacked', async () => {
  const [path, into] = [aZip(), join(scratch(), 'into')];
  const bytes = readFileSync(path);
  bytes.writeUInt32LE(7, find(bytes, ROW) + 16);
  writeFileSync(path, bytes);
  await archives.unpack(path, into, ({ name }) => (name.startsWith('b/') ? name : null));
  expect(readFileSync(join(into, 'b/packed.txt'), 'utf8')).toBe(TEXT);
});

test('given a zip64 file, when it is unpacked, then its members are whole', async () => {
  const [path, into] = [aZip('zip64'), join(scratch(), 'into')];
  await archives.unpack(path, into, ({ name }) => name);
  expect(readFileSync(join(into, 'a/stored.txt'), 'utf8')).toBe(TEXT);
  expect(readFileSync(join(into, 'b/packed.txt'), 'utf8')).toBe(TEXT);
});

const MANY = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    z.writestr("a/first.txt", "first")
    for n in range(65_600):
        z.writestr(zipfile.ZipInfo("%05d" % (65_599 - n)), b"")
`;
const LOOK = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    names = z.namelist()
    print(len(names), names[0], names[-1], z.testzip(), z.read("a/first.txt").decode())
`;

test('given a JAR of more than 65,535 members, when it is normalised, then another reader finds all of them in order', async () => {
  const path = join(scratch(), 'shaded.jar');
  python(MANY, path);
  await archives.normaliseZip(path, 1_700_000_000);
  expect(python(LOOK, path).trim()).toBe('65601 00000 a/first.txt None first');
});

test('given a damaged JAR, when it is normalised, then it is named and unchanged, and no other file is left', async () => {
  const path = aZip();
  const damaged = readFileSync(path);
  damaged.writeUInt32LE(2 ** 31, find(damaged, ROW, 1) + 20);
  writeFileSync(path, damaged);
  await expect(archives.normaliseZip(path, 0)).rejects.toMatchObject(unreadable('file data overflows') as object);
  expect(readFileSync(path).equals(damaged)).toBe(true);
  expect(readdirSync(join(path, '..'))).toEqual(['skiff-1.jar']);
});

const LARGE = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("large", b"0123456789" * 100_000)
`;
test.each([
  ['a wrong CRC', 16, 7, 'has the CRC-32 [0-9a-f]{8}, and 00000007 is declared'],
  ['a size that is too small', 24, 999_999, 'too many bytes'],
  ['a size that is too large', 24, 1_000_001, 'not enough bytes'],
])(
  'given a large member with %s, when it is unpacked, then the problem names member and reason',
  async (_, at, value, why) => {
    const path = copyOf(LARGE);
    const bytes = readFileSync(path);
    bytes.writeUInt32LE(value, find(bytes, ROW) + at);
    writeFileSync(path, bytes);
    await expect(archives.unpack(path, join(scratch(), 'into'), ({ name }) => name)).rejects.toMatchObject(
      unreadable(`member "large" ${why}`) as object,
    );
  },
);

const HUGE = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    z.writestr("a/stored", bytes(33 * 2**20))
    z.writestr("b/packed", "0123456789" * 20, zipfile.ZIP_DEFLATED)
`;
test('given a zip that is too large for memory, when it is normalised and unpacked, then its members are whole', async () => {
  const [path, into] = [join(scratch(), 'large.jar'), join(scratch(), 'into')];
  python(HUGE, path);
  await archives.normaliseZip(path, 0);
  await archives.unpack(path, into, ({ name }) => name);
  expect(statSync(join(into, 'a/stored')).size).toBe(33 * 2 ** 20);
  expect(readFileSync(join(into, 'b/packed'), 'utf8')).toBe(TEXT);
});

test('given an error of the machine, then it is not reported as a fault of the archive', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const folder = Object.assign(new Error('ENOTDIR: not a directory'), { code: 'ENOTDIR' });
  expect(() => refuse('skiff-1.jar', full)).toThrow(full);
  expect(() => refuse('skiff-1.jar', folder)).toThrow('skiff-1.jar cannot be read as an archive: ENOTDIR');
});

test('given a zip of thousands of members, when all but one are filtered out, then no file stays open', async () => {
  const [path, into] = [join(scratch(), 'shaded.jar'), join(scratch(), 'into')];
  python(MANY.replace('65_600', '5_000'), path);
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  await archives.unpack(path, into, ({ name }) => {
    if (name === '00000') expect(open()).toBeLessThan(before + 20);
    return name === 'a/first.txt' ? name : null;
  });
  expect(readdirSync(join(into, 'a'))).toEqual(['first.txt']);
});

test('given a zip with a link, when it is unpacked, then the link is a link', async () => {
  const path = join(scratch(), 'skiff-1.zip');
  python(
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED); z.writestr("a", "text"); i = zipfile.ZipInfo("l"); i.create_system = 3; i.external_attr = 0o120777 << 16; i.compress_type = 8; z.writestr(i, "a"); z.close()',
    path,
  );
  const into = join(scratch(), 'into');
  await archives.unpack(path, into, ({ name }) => name);
  expect(readFileSync(join(into, 'l'), 'utf8')).toBe('text');
});

test('given a zip whose member leads outside, when it is unpacked, then it is refused, and nothing is written outside', async () => {
  const path = join(scratch(), 'skiff-1.zip');
  python('import sys, zipfile; z = zipfile.ZipFile(sys.argv[1], "w"); z.writestr("../evil", "x"); z.close()', path);
  const into = join(scratch(), 'into');
  await expect(archives.unpack(path, into, ({ name }) => name)).rejects.toMatchObject({
    first: { code: 'ARCHIVE_UNSAFE', message: expect.stringContaining('../evil') },
  });
  expect(existsSync(join(into, '..', 'evil'))).toBe(false);
});
