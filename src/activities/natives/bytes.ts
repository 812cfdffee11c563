import type { FileHandle } from 'node:fs/promises';

/** Reads bytes of an open file. Returns an empty buffer for a range outside it, so that reading a number throws
 * RangeError. */
export async function bytesOf(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { size } = await file.stat();
  if (position < 0 || length < 0 || position + length > size) return Buffer.alloc(0);
  const buffer = Buffer.alloc(length);
  await file.read(buffer, 0, length, position);
  return buffer;
}

export function textAt(from: Buffer, at: number): string {
  if (at < 0 || at >= from.length) return '';
  const end = from.indexOf(0, at);
  return from.subarray(at, end < 0 ? from.length : end).toString('utf8');
}

/** Reads an address or size: 8 bytes in 64-bit files, else 4. */
export const word = (from: Buffer, at: number, is64: boolean): number =>
  is64 ? Number(from.readBigUInt64LE(at)) : from.readUInt32LE(at);
