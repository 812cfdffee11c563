import { readFileSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry as Row, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import type { Member } from '../../activities/source/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { Entry } from './entry.js';
import type { Meter } from './limits.js';
import { zipBroken, zipMemberBroken } from './errors.js';

const LONGEST_TARGET_BYTES = 4096;
/** Up to this size the file is read at once: two reads on the thread pool per row are slower. */
const MOST_IN_MEMORY_BYTES = 32 * 2 ** 20;
const DIRECTORY_ROW = 0x02014b50;
const SMALLEST_ROW_BYTES = 46;

/** Opens a zip file and closes it once `use` settles. Names stay bytes: `place` judges them, so that ARCHIVE_UNSAFE
 * names the member. */
export async function withZip<T>(path: string, use: (zip: ZipFile) => Promise<T>): Promise<T> {
  const zip = await openZip(path);
  try {
    return await use(zip);
  } finally {
    zip.close();
  }
}

async function openZip(path: string): Promise<ZipFile> {
  const options = { autoClose: false, decodeStrings: false };
  const inMemory = statSync(path).size <= MOST_IN_MEMORY_BYTES;
  const zip = inMemory ? await fromBufferPromise(readFileSync(path), options) : await openPromise(path, options);
  // An error event without a listener ends the process. Read errors still reject the iterator of `rowsOf`.
  zip.on('error', () => undefined);
  return zip;
}

/** Yields the central directory's rows in order. Throws ARCHIVE_UNREADABLE if the directory holds more rows than it
 * declares. */
export async function* rowsOf(zip: ZipFile): AsyncGenerator<Row> {
  for await (const row of zip.eachEntry()) yield row;
  // yauzl types the cursor as a boolean; it is the offset after the last row.
  const next = await readAt(zip, Number(zip.readEntryCursor), 4);
  if (next.readUInt32LE() === DIRECTORY_ROW)
    throw fail(zipBroken(`it declares ${zip.entryCount} members and holds more`));
}

/** yauzl's file handle, which its types omit. */
type Reader = { read(to: Buffer, at: number, size: number, from: number, done: (error: Error | null) => void): void };

/** Bytes past the end of the file read as zeros; the size and CRC-32 checks detect that. */
const readAt = (zip: ZipFile, position: number, length: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.alloc(length);
    const { reader } = zip as unknown as { readonly reader: Reader };
    if (length === 0) resolve(bytes);
    else reader.read(bytes, 0, length, position, (error) => (error ? reject(error) : resolve(bytes)));
  });

export const nameOf = (row: Row): string =>
  getFileNameLowLevel(row.generalPurposeBitFlag, row.fileNameRaw, row.extraFields, true);

/** Yields members in the order of the central directory. Checks their bytes against the declared size and CRC-32. */
export async function* zipEntries(path: string, meter: Meter): AsyncGenerator<Entry> {
  const zip = await openZip(path);
  try {
    // A count that the file has no room for is damage: reading the rows reports it.
    if (zip.entryCount * SMALLEST_ROW_BYTES <= zip.fileSize) meter.declared(zip.entryCount);
    for await (const row of rowsOf(zip)) {
      const name = nameOf(row);
      const kind: Member['kind'] = isLink(row) ? 'link' : name.endsWith('/') ? 'folder' : 'file';
      const mtime = Math.floor(row.getLastModDate({ timezone: 'UTC' }).getTime() / 1000);
      const target = kind === 'link' ? await linkTarget(zip, row, name, meter) : null;
      yield {
        member: { name, kind, target, size: row.uncompressedSize, mtime },
        executable: (modeOf(row) & 0o100) !== 0,
        bytes: checkedBytes(zip, row, name, meter),
      };
    }
  } finally {
    zip.close();
  }
}

/** Only Unix writers (host 3) store a mode. */
const modeOf = (row: Row): number => (row.versionMadeBy >> 8 === 3 ? row.externalFileAttributes >>> 16 : 0);
const isLink = (row: Row): boolean => (modeOf(row) & 0o170000) === 0o120000;

async function linkTarget(zip: ZipFile, row: Row, name: string, meter: Meter): Promise<string> {
  if (row.uncompressedSize > LONGEST_TARGET_BYTES)
    throw fail(zipMemberBroken(name, `is a link with a target of ${row.uncompressedSize} bytes`));
  const pieces: Buffer[] = [];
  for await (const piece of checkedBytes(zip, row, name, meter)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** Throws ARCHIVE_UNREADABLE with the member's name if its bytes differ from the declared size or CRC-32. */
async function* checkedBytes(zip: ZipFile, row: Row, name: string, meter: Meter): AsyncGenerator<Buffer> {
  let [crc, size] = [0, 0];
  try {
    for await (const piece of isSmall(row) ? [await inflated(zip, row)] : await bytesOf(zip, row)) {
      crc = crc32(piece, crc);
      size += piece.length;
      meter.bytes(piece.length);
      yield piece;
    }
  } catch (error) {
    if (error instanceof SlipwayFailure) throw error;
    throw fail(zipMemberBroken(name, whyNot(row, error as NodeJS.ErrnoException)), error);
  }
  if (size !== row.uncompressedSize)
    throw fail(zipMemberBroken(name, `has ${size} bytes, and ${row.uncompressedSize} are declared`));
  if (crc !== row.crc32)
    throw fail(zipMemberBroken(name, `has the CRC-32 ${hex(crc)}, and ${hex(row.crc32)} is declared`));
}

/** Up to this size inflating at once is faster than a stream. */
const SMALL_BYTES = 1 << 16;
const isSmall = (row: Row): boolean =>
  row.compressionMethod === 8 &&
  !row.isEncrypted() &&
  Math.max(row.compressedSize, row.uncompressedSize) <= SMALL_BYTES;

async function inflated(zip: ZipFile, row: Row): Promise<Buffer> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(row, { minimal: true });
  const packed = await readAt(zip, fileDataStart, row.compressedSize);
  return inflateRawSync(packed, { maxOutputLength: Math.max(row.uncompressedSize, 1) });
}

const bytesOf = (zip: ZipFile, row: Row): Promise<AsyncIterable<Buffer>> => zip.openReadStreamPromise(row);

const whyNot = (row: Row, error: NodeJS.ErrnoException): string =>
  error.code === 'ERR_BUFFER_TOO_LARGE'
    ? `has more than the ${row.uncompressedSize} bytes that are declared`
    : error.message;

const hex = (crc: number): string => crc.toString(16).padStart(8, '0');

export const packedBytes = (zip: ZipFile, row: Row): Promise<Readable> =>
  zip.openReadStreamPromise(row, { decodeFileData: false });
