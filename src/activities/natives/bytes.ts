import type { FileHandle } from 'node:fs/promises';

/** Bytes of an open file. What lies outside of it is empty: whoever reads numbers from it meets a RangeError. */
export async function bytesOf(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { size } = await file.stat();
  if (position < 0 || length < 0 || position + length > size) return Buffer.alloc(0);
  const buffer = Buffer.alloc(length);
  await file.read(buffer, 0, length, position);
  return buffer;
}

/** A text that ends with a zero byte. */
export function textAt(from: Buffer, at: number): string {
  if (at < 0 || at >= from.length) return '';
  const end = from.indexOf(0, at);
  return from.subarray(at, end < 0 ? from.length : end).toString('utf8');
}

/** An address or a size: 8 bytes in 64-bit files, 4 in others. */
export const word = (from: Buffer, at: number, is64: boolean): number =>
  is64 ? Number(from.readBigUInt64LE(at)) : from.readUInt32LE(at);
