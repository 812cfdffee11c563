import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import type { Member } from '../../activities/source/ports.js';
import { fail } from '../../model/failure.js';
import type { Entry } from './entry.js';
import { zipBroken } from './errors.js';

/** A row of a zip file's central directory (APPNOTE.TXT 4.3.12). */
export interface ZipRow {
  readonly name: string;
  readonly rawName: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly madeBy: number;
  readonly externalAttributes: number;
  readonly dosTime: number;
  readonly dosDate: number;
  /** Where the local header starts. */
  readonly offset: number;
}

const END = 0x06054b50;
const ROW = 0x02014b50;
const END_SIZE = 22;
const ROW_SIZE = 46;
const LOCAL_SIZE = 30;
const LARGEST = 0xffffffff;

export async function zipRows(file: FileHandle): Promise<ZipRow[]> {
  const { size } = await file.stat();
  const tail = await bytesAt(file, Math.max(0, size - 0x10000 - END_SIZE), Math.min(size, 0x10000 + END_SIZE));
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || tail.readUInt32LE(end) !== END) throw fail(zipBroken('a zip file without its end record'));
  const count = tail.readUInt16LE(end + 10);
  const start = tail.readUInt32LE(end + 16);
  if (count === 0xffff || start === LARGEST) throw fail(zipBroken('a zip64 file'));
  return rowsOf(await bytesAt(file, start, tail.readUInt32LE(end + 12)), count);
}

function rowsOf(directory: Buffer, count: number): ZipRow[] {
  const rows: ZipRow[] = [];
  for (let at = 0; rows.length < count;) {
    if (at + ROW_SIZE > directory.length || directory.readUInt32LE(at) !== ROW)
      throw fail(zipBroken('a broken zip directory'));
    const nameLength = directory.readUInt16LE(at + 28);
    const rawName = directory.subarray(at + ROW_SIZE, at + ROW_SIZE + nameLength);
    rows.push({
      name: rawName.toString('utf8'),
      rawName,
      madeBy: directory.readUInt16LE(at + 4),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      dosTime: directory.readUInt16LE(at + 12),
      dosDate: directory.readUInt16LE(at + 14),
      crc: directory.readUInt32LE(at + 16),
      packedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      externalAttributes: directory.readUInt32LE(at + 38),
      offset: directory.readUInt32LE(at + 42),
    });
    at += ROW_SIZE + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return rows;
}

/** Where a member's packed bytes start: its local header may carry other extra fields than the directory's row. */
export async function dataOffset(file: FileHandle, row: ZipRow): Promise<number> {
  const local = await bytesAt(file, row.offset, LOCAL_SIZE);
  return row.offset + LOCAL_SIZE + local.readUInt16LE(26) + local.readUInt16LE(28);
}

/** Members of a zip file, in the order of its directory. */
export async function* zipEntries(path: string): AsyncGenerator<Entry> {
  const file = await open(path);
  try {
    for (const row of await zipRows(file)) {
      const start = await dataOffset(file, row);
      yield entryOf(row, path, start, await linkTarget(file, row, start));
    }
  } finally {
    await file.close();
  }
}

const modeOf = (row: ZipRow): number => (row.madeBy >> 8 === 3 ? row.externalAttributes >>> 16 : 0);
const isLink = (row: ZipRow): boolean => (modeOf(row) & 0o170000) === 0o120000;

async function linkTarget(file: FileHandle, row: ZipRow, start: number): Promise<string | null> {
  if (!isLink(row)) return null;
  if (row.method !== 0 || row.size > 4096) throw fail(zipBroken(`the link ${row.name} is packed`));
  return (await bytesAt(file, start, row.size)).toString('utf8');
}

function entryOf(row: ZipRow, path: string, start: number, target: string | null): Entry {
  const kind: Member['kind'] = isLink(row) ? 'link' : row.name.endsWith('/') ? 'folder' : 'file';
  return {
    member: { name: row.name, kind, target, size: row.size, mtime: unixTime(row) },
    executable: (modeOf(row) & 0o100) !== 0,
    bytes: unpacked(row, path, start),
  };
}

function unpacked(row: ZipRow, path: string, start: number): Readable {
  if (row.packedSize === 0) return Readable.from([]);
  if (row.method !== 0 && row.method !== 8) throw fail(zipBroken(`${row.name} is packed by method ${row.method}`));
  const packed = createReadStream(path, { start, end: start + row.packedSize - 1 });
  if (row.method === 0) return packed;
  const inflate = createInflateRaw();
  packed.on('error', (error) => inflate.destroy(error));
  return packed.pipe(inflate);
}

/** DOS times have no zone; UTC is what deterministic writers mean. */
const unixTime = ({ dosDate: d, dosTime: t }: ZipRow): number =>
  Date.UTC(1980 + (d >> 9), ((d >> 5) & 15) - 1, d & 31, t >> 11, (t >> 5) & 63, (t & 31) * 2) / 1000;

export async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw fail(zipBroken('a zip file that ends too early'));
  return buffer;
}
