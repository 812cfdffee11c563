import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Stored } from '../../activities/ports.js';

const PIECE_BYTES = 1 << 20;

/** Hands a file out piece by piece. Two buffers for all of it, so that a gigabyte leaves nothing for the collector; the next
 * piece is read while the last one is used.
 * @param use a piece is its own until its promise is kept */
export async function readThrough(file: FileHandle, use: (piece: Buffer) => Promise<void> | void): Promise<void> {
  const buffers = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)] as const;
  const readInto = async (buffer: Buffer): Promise<Buffer> =>
    buffer.subarray(0, (await file.read(buffer, 0, PIECE_BYTES)).bytesRead);
  let reading = readInto(buffers[0]);
  for (let turn = 1; ; turn += 1) {
    const piece = await reading;
    if (piece.length === 0) return;
    reading = readInto(buffers[turn % 2]!);
    reading.catch(() => undefined); // told by the next await, unless `use` fails before
    try {
      await use(piece);
    } catch (error) {
      await reading.catch(() => undefined); // nobody closes the file under it
      throw error;
    }
  }
}

/** SHA-256 and size of a file's bytes. */
export async function hashFile(path: string): Promise<Stored> {
  const file = await open(path, 'r');
  try {
    return await hashOpen(file);
  } finally {
    await file.close();
  }
}

/** The same of a file that is open. */
export const hashOpen = (file: FileHandle): Promise<Stored> => hashThrough(file, () => undefined);

/** The same while they are copied to another file: written and hashed at once. */
export const hashInto = (from: FileHandle, to: FileHandle): Promise<Stored> =>
  hashThrough(from, (piece) => to.writeFile(piece));

async function hashThrough(from: FileHandle, also: (piece: Buffer) => Promise<void> | void): Promise<Stored> {
  const hash = createHash('sha256');
  let size = 0;
  await readThrough(from, async (piece) => {
    const done = also(piece);
    hash.update(piece);
    size += piece.length;
    await done;
  });
  return { digest: `sha256:${hash.digest('hex')}`, size };
}
