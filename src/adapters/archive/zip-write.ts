import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { fail } from '../../model/failure.js';
import { zipMemberBroken } from './errors.js';
import { directoryRow, dosStamp, endRecord, localHeader, type Stamp, type ZipHeader } from './zip-records.js';

export interface ZipPart {
  /** Null: computed from the bytes. */
  readonly header: Omit<ZipHeader, 'crc'> & { readonly crc: number | null };
  readonly bytes: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>;
}

/** Writes a zip file with one time and without comments. Equal members give equal bytes.
 * @param epoch seconds, UTC */
export async function writeZip(path: string, parts: Iterable<ZipPart>, epoch: number): Promise<void> {
  const stamp = dosStamp(epoch);
  const file = openSync(path, 'w');
  try {
    const directory: Buffer[] = [];
    let at = 0;
    for (const part of parts) {
      const { header, end } = await writePart(file, part, stamp, at);
      directory.push(directoryRow(header, stamp, at));
      at = end;
    }
    const rows = Buffer.concat(directory);
    const rest = Buffer.concat([rows, endRecord(directory.length, rows.length, at)]);
    writeAll(file, rest, at);
  } finally {
    closeSync(file);
  }
}

/** The header precedes the bytes but may need their CRC-32, so the bytes are written first. */
async function writePart(
  file: number,
  { header, bytes }: ZipPart,
  stamp: Stamp,
  start: number,
): Promise<{ readonly header: ZipHeader; readonly end: number }> {
  const from = start + localHeader({ ...header, crc: 0 }, stamp).length;
  let [crc, size] = [0, 0];
  for await (const piece of header.packedSize > 0 ? await bytes() : []) {
    if (header.crc === null) crc = crc32(piece, crc);
    writeAll(file, piece, from + size);
    size += piece.length;
  }
  if (size !== header.packedSize)
    throw fail(zipMemberBroken(header.rawName.toString(), `has ${size} bytes, and ${header.packedSize} are declared`));
  const whole = { ...header, crc: header.crc ?? crc };
  const local = localHeader(whole, stamp);
  writeAll(file, local, start);
  return { header: whole, end: from + size };
}

/** Synchronous: for small pieces the thread pool is slower. */
function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}
