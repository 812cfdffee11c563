// Seeds of archives and of native libraries, made by our own writers where we have one.
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { deflateRawSync, crc32, gzipSync } = require('node:zlib');
const { pack } = require('tar-stream');
const { writeZip } = require('../../dist/adapters/archive/zip-write.js');

const MEMBERS = {
  'skiff/__init__.py': '__version__ = "1.2.3"\n',
  'skiff-1.2.3.dist-info/METADATA': 'Metadata-Version: 2.1\nName: skiff\nVersion: 1.2.3\n\nText\n',
  'skiff-1.2.3.dist-info/RECORD': 'skiff/__init__.py,sha256=x,22\n',
  'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\n\n',
  'a/b/c/large': 'x'.repeat(70_000),
};

async function zipOf(members, method) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-fuzz-'));
  const path = join(folder, 'seed.zip');
  const parts = Object.entries(members).map(([name, text]) => {
    const bytes = Buffer.from(text);
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const sizes = { crc: crc32(bytes), packedSize: packed.length, size: bytes.length };
    const how = { flags: 0, method, madeBy: (3 << 8) | 20, externalAttributes: 0o100644 * 2 ** 16 };
    return { header: { rawName: Buffer.from(name), ...sizes, ...how }, bytes: async () => [packed] };
  });
  await writeZip(path, parts, 0);
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

async function tarOf(long) {
  const tar = pack();
  for (const [name, text] of Object.entries(MEMBERS)) tar.entry({ name: `skiff-1.2.3/${name}` }, text.slice(0, 600));
  tar.entry({ name: 'skiff-1.2.3/link', type: 'symlink', linkname: 'skiff/__init__.py' });
  tar.entry({ name: 'skiff-1.2.3/hard', type: 'link', linkname: 'skiff-1.2.3/skiff/__init__.py' });
  tar.entry({ name: 'skiff-1.2.3/folder', type: 'directory' });
  if (long) tar.entry({ name: `skiff-1.2.3/${'n'.repeat(150)}`, pax: { path: `skiff-1.2.3/${'n'.repeat(150)}` } }, 'x');
  tar.finalize();
  const pieces = [];
  for await (const piece of tar) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A small ELF shared library with a dynamic section, as `gcc -shared` lays it out. */
function elf() {
  const bytes = Buffer.alloc(0x400);
  Buffer.from('7f454c460201010000000000000000000300', 'hex').copy(bytes);
  bytes.writeUInt16LE(0x3e, 18);
  bytes.writeUInt32LE(1, 20);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(64, 52);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(2, 56);
  segment(bytes, 64, 1, 0n, 0x400n);
  segment(bytes, 120, 2, 0x200n, 0x60n);
  const entries = [
    [5n, 0x300n],
    [10n, 0x80n],
    [1n, 1n],
    [14n, 1n],
    [29n, 16n],
    [0n, 0n],
  ];
  entries.forEach(([tag, value], at) => {
    bytes.writeBigUInt64LE(tag, 0x200 + 16 * at);
    bytes.writeBigUInt64LE(value, 0x208 + 16 * at);
  });
  bytes.write('\0libm.so.6\0.....\0$ORIGIN/lib\0', 0x300, 'latin1');
  return bytes;
}

function segment(bytes, at, type, offset, size) {
  bytes.writeUInt32LE(type, at);
  for (const [place, value] of [
    [8, offset],
    [16, offset],
    [24, offset],
    [32, size],
    [40, size],
  ])
    bytes.writeBigUInt64LE(value, at + place);
}

/** A Mach-O library with one load command. */
function macho() {
  const bytes = Buffer.alloc(0x100);
  [0xfeedfacf, 0x0100000c, 0, 6, 2, 0x60, 0, 0, 0x32, 24, 1, 0x000b0000, 0x000b0000, 0, 0xc, 48, 24, 0, 0, 0].forEach(
    (word, at) => bytes.writeUInt32LE(word, 4 * at),
  );
  bytes.write('/usr/lib/libSystem.B.dylib', 0x50);
  return bytes;
}

exports.archiveSeeds = async () => {
  const [tar, long] = [await tarOf(false), await tarOf(true)];
  return {
    zip: [await zipOf(MEMBERS, 8), await zipOf(MEMBERS, 0), await zipOf({}, 0)],
    tar: [tar, long],
    gzip: [gzipSync(tar), gzipSync(long)],
    native: [elf(), macho()],
  };
};
