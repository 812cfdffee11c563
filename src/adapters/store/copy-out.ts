import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asStoreFailure } from './errors.js';
import { inFolderNow } from './temporary.js';

/** Largest piece for a socket. Larger pieces leave the CPU cache, which costs more than the calls. */
const BATCH_BYTES = 64 << 10;

/** Unique name: two writers may create the same path at once. */
const partialOf = (path: string): string => `${path}.${randomUUID()}.partial`;

/** Creates a file that appears at `path` only after `write` is done. */
export async function appearing(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const partial = partialOf(path);
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(partial, 'w', 0o644);
    try {
      await write(file);
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw asStoreFailure(error, path);
  }
}

/** Writes these bytes synchronously; the file appears whole. */
export function appearingNow(path: string, bytes: Uint8Array): void {
  const partial = partialOf(path);
  try {
    inFolderNow(partial, () => writeFileSync(partial, bytes, { mode: 0o644 }));
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw asStoreFailure(error, path);
  }
}

/** Writes a stream in batches: one write for each small piece of a socket is slow. Writes one batch while it reads
 * the next. */
export async function writeAll(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let batch: Uint8Array[] = [];
  let size = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await writing;
    writing = writeWhole(file, batch, size);
    writing.catch(() => undefined); // the next await reports it
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

async function writeWhole(file: FileHandle, batch: readonly Uint8Array[], size: number): Promise<void> {
  if (size === 0) return;
  const { bytesWritten } = await file.writev(batch);
  // Rare: an almost full disk may take only a part.
  if (bytesWritten < size) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten));
}
