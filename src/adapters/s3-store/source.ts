import { type BigIntStats, createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Stored } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { hashFile } from '../store/read-through.js';
import { withTemporary } from '../store/temporary.js';
import { changedMeanwhile } from './errors.js';
import { type LongBody, PART_BYTES } from './upload.js';
import { sha256 } from '../sha256.js';

const PIECE_BYTES = 1 << 20;

/** Content with a known digest: its bytes, or a function that opens them for each attempt. */
export interface Source extends Stored {
  readonly body: Buffer | LongBody;
}

export const sourceOfBuffer = (bytes: Buffer): Source => ({
  digest: sha256(bytes),
  size: bytes.length,
  body: bytes,
});

/** The key is the digest, so a long file is read twice: for the digest, then for the bytes. */
export async function sourceOfFile(path: string): Promise<Source> {
  const before = await stat(path, { bigint: true });
  if (before.size <= PART_BYTES) return sourceOfBuffer(await readFile(path));
  const { digest, size } = await hashFile(path);
  return {
    digest,
    size,
    body: { open: () => read(path, size), mustBeUnchanged: () => mustBeUnchanged(path, before) },
  };
}

const read = (path: string, size: number): Readable =>
  createReadStream(path, { highWaterMark: PIECE_BYTES, end: size - 1 });

/** Compares file metadata: a second SHA-256 would be slower, and every reader verifies the digest anyway. */
async function mustBeUnchanged(path: string, before: BigIntStats): Promise<void> {
  const after = await stat(path, { bigint: true });
  const differs = (['ino', 'size', 'mtimeNs', 'ctimeNs'] as const).some((what) => after[what] !== before[what]);
  if (differs) throw fail(changedMeanwhile(path));
}

/** A stream of up to one part stays in memory. A longer one goes to a temporary file first, which gives its digest. */
export async function withSource<T>(
  folder: string,
  bytes: AsyncIterable<Uint8Array>,
  use: (source: Source) => Promise<T>,
): Promise<T> {
  const iterator = bytes[Symbol.asyncIterator]();
  const { start, more } = await upToOnePart(iterator);
  if (!more) return await use(sourceOfBuffer(Buffer.concat(start)));
  return await withTemporary(
    folder,
    async (file) => {
      for (const piece of start) await file.writeFile(piece);
      for await (const piece of { [Symbol.asyncIterator]: () => iterator }) await file.writeFile(piece);
    },
    async (path) => use(await sourceOfFile(path)),
  );
}

async function upToOnePart(iterator: AsyncIterator<Uint8Array>): Promise<{ start: Uint8Array[]; more: boolean }> {
  const start: Uint8Array[] = [];
  for (let size = 0; size <= PART_BYTES;) {
    const next = await iterator.next();
    if (next.done) return { start, more: false };
    start.push(next.value);
    size += next.value.length;
  }
  return { start, more: true };
}
