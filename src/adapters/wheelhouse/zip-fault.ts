import type { FileHandle } from 'node:fs/promises';

/** The record at the end of a zip archive, and the longest comment behind it. */
const END = Buffer.from('PK\u0005\u0006', 'latin1');
const END_BYTES = 22;
const MOST_END_BYTES = END_BYTES + 65_535;
const ENTRY = Buffer.from('PK\u0001\u0002', 'latin1');
const CUT_OFF = 'it is no zip archive, or it is cut off';

/** Returns why a file is no whole zip archive. Null if it is one. It reads only the end and one entry of the list. */
export async function zipFault(file: FileHandle, size: number): Promise<string | null> {
  const length = Math.min(size, MOST_END_BYTES);
  const tail = await bytesAt(file, size - length, length);
  const at = tail.lastIndexOf(END);
  if (at < 0 || tail.length - at < END_BYTES) return CUT_OFF;
  const listBytes = tail.readUInt32LE(at + 12);
  const listAt = size - length + at - listBytes;
  // An archive of 4 GiB and more has its sizes in another record.
  if (listBytes === 0xffff_ffff) return null;
  if (tail.readUInt16LE(at + 10) === 0) return 'it is an empty zip archive';
  return listAt >= 0 && (await bytesAt(file, listAt, ENTRY.length)).equals(ENTRY) ? null : CUT_OFF;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
