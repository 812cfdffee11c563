import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asStoreFailure } from './errors.js';

/** A file that appears at `path` only when it is whole and verified. */
export async function copyOut(read: () => Promise<AsyncIterable<Uint8Array>>, path: string): Promise<void> {
  const partial = `${path}.${randomUUID()}.partial`; // two may want it at the same place at once
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(partial, 'w', 0o644);
    try {
      for await (const piece of await read()) await file.writeFile(piece);
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw asStoreFailure(error, path);
  }
}
