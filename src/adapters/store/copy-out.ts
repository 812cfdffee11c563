import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asStoreFailure } from './errors.js';

const BATCH_BYTES = 1 << 20;

/** A file that appears at `path` only when it is whole and verified. */
export async function copyOut(read: () => Promise<AsyncIterable<Uint8Array>>, path: string): Promise<void> {
  const partial = `${path}.${randomUUID()}.partial`; // two may want it at the same place at once
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(partial, 'w', 0o644);
    try {
      await writeAll(file, await read());
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw asStoreFailure(error, path);
  }
}

/** A socket hands out small pieces: a write each would take longer than the bytes do. While one batch is written the next
 * one is read. */
async function writeAll(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let batch: Uint8Array[] = [];
  let size = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await writing;
    writing = file.writeFile(Buffer.concat(batch));
    writing.catch(() => undefined); // told by the next await
    [batch, size] = [[], 0];
  };
  try {
    for await (const piece of bytes) {
      batch.push(piece);
      size += piece.length;
      if (size >= BATCH_BYTES) await flush();
    }
    await flush();
  } finally {
    await writing;
  }
}
