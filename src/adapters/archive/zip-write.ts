import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dataOffset, type ZipRow, zipRows } from './zip-read.js';

/** Rewrites a zip file so that the same members give the same bytes: sorted with META-INF and its manifest first
 * (`java -jar` and JAR readers look there), all times `epoch` (seconds, UTC), no extra fields, packed bytes as they are. */
export async function normaliseZip(path: string, epoch: number): Promise<void> {
  const fresh = `${path}.normalised`;
  const [from, to] = [await open(path), await open(fresh, 'w')];
  try {
    await rewrite(path, from, to, dosStamp(epoch));
    await rename(fresh, path);
  } finally {
    await Promise.all([from.close(), to.close(), rm(fresh, { force: true })]);
  }
}

interface Stamp {
  readonly time: number;
  readonly date: number;
}

async function rewrite(path: string, from: FileHandle, to: FileHandle, stamp: Stamp): Promise<void> {
  const rows = (await zipRows(from)).sort((a, b) => compare(rankOf(a.name), rankOf(b.name)));
  const directory: Buffer[] = [];
  let at = 0;
  for (const row of rows) {
    directory.push(directoryRow(row, stamp, at));
    const header = localHeader(row, stamp);
    await to.write(header, 0, header.length, at);
    at += header.length;
    at += await copy(path, await dataOffset(from, row), row.packedSize, to, at);
  }
  const rest = Buffer.concat([...directory, endRecord(rows.length, directory, at)]);
  await to.write(rest, 0, rest.length, at);
}

async function copy(path: string, start: number, length: number, to: FileHandle, at: number): Promise<number> {
  if (length === 0) return 0;
  let position = at;
  for await (const chunk of createReadStream(path, { start, end: start + length - 1 }) as AsyncIterable<Buffer>) {
    await to.write(chunk, 0, chunk.length, position);
    position += chunk.length;
  }
  return length;
}

const rankOf = (name: string): string =>
  `${name === 'META-INF/' ? 0 : name === 'META-INF/MANIFEST.MF' ? 1 : name.startsWith('META-INF/') ? 2 : 3}${name}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Zip knows 1980 to 2107 in steps of two seconds. */
function dosStamp(epoch: number): Stamp {
  const at = new Date(Math.max(epoch, Date.UTC(1980, 0, 1) / 1000) * 1000);
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

/** Bit 3 says that sizes follow the data; here they stand in the header. */
const flagsOf = (row: ZipRow): number => row.flags & ~8;

function localHeader(row: ZipRow, stamp: Stamp): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  common(header, 6, row, stamp);
  return Buffer.concat([header, row.rawName]);
}

function directoryRow(row: ZipRow, stamp: Stamp, offset: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(row.madeBy, 4);
  header.writeUInt16LE(20, 6);
  common(header, 8, row, stamp);
  header.writeUInt32LE(row.externalAttributes, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, row.rawName]);
}

/** The fields that both headers share, in the same order. */
function common(header: Buffer, at: number, row: ZipRow, stamp: Stamp): void {
  header.writeUInt16LE(flagsOf(row), at);
  header.writeUInt16LE(row.method, at + 2);
  header.writeUInt16LE(stamp.time, at + 4);
  header.writeUInt16LE(stamp.date, at + 6);
  header.writeUInt32LE(row.crc, at + 8);
  header.writeUInt32LE(row.packedSize, at + 12);
  header.writeUInt32LE(row.size, at + 16);
  header.writeUInt16LE(row.rawName.length, at + 20);
}

function endRecord(count: number, directory: readonly Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(
    directory.reduce((sum, row) => sum + row.length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}
