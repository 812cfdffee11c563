import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Stored } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { withTemporary } from '../store/temporary.js';
import { changedMeanwhile } from './errors.js';
import { PART_BYTES } from './upload.js';

const PIECE_BYTES = 1 << 20;

/** Something to store whose digest is known: its bytes, or what opens them anew for each try. */
export interface Source extends Stored {
  readonly body: Buffer | (() => Readable);
}

export const sourceOfBuffer = (bytes: Buffer): Source => ({
  digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  size: bytes.length,
  body: bytes,
});

/** The key is the digest, so a long file is read twice: for its name, then for its bytes, which are compared again. */
export async function sourceOfFile(path: string): Promise<Source> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size <= PART_BYTES) return sourceOfBuffer(await file.readFile());
  } finally {
    await file.close();
  }
  const stored = await hashed(createReadStream(path, { highWaterMark: PIECE_BYTES }));
  return { ...stored, body: () => Readable.from(compared(path, stored), { objectMode: false }) };
}

async function hashed(bytes: AsyncIterable<Uint8Array>): Promise<Stored> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of bytes) {
    hash.update(piece);
    size += piece.length;
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}

/** Fails before the last part is sent where the file is no longer what it was. */
async function* compared(path: string, { digest }: Stored): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
    hash.update(piece);
    yield piece;
  }
  if (`sha256:${hash.digest('hex')}` !== digest) throw fail(changedMeanwhile(path));
}

/** A stream that fits one part stays in memory; a longer one waits in a file of ours until its digest is known. */
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
