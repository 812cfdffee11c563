import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Stored } from '../../activities/ports.js';

const PIECE_BYTES = 1 << 20;

/** Passes a file to `use` piece by piece, with two buffers in all to spare the garbage collector. Reads the next piece
 * meanwhile.
 * @param use may keep a piece until its promise resolves */
export async function readThrough(file: FileHandle, use: (piece: Buffer) => Promise<void> | void): Promise<void> {
  const buffers = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)] as const;
  const readInto = async (buffer: Buffer): Promise<Buffer> =>
    buffer.subarray(0, (await file.read(buffer, 0, PIECE_BYTES)).bytesRead);
  let reading = readInto(buffers[0]);
  for (let turn = 1; ; turn += 1) {
    const piece = await reading;
    if (piece.length === 0) return;
    reading = readInto(buffers[turn % 2]!);
    reading.catch(() => undefined); // the next await reports it, unless `use` fails before
    try {
      await use(piece);
    } catch (error) {
      await reading.catch(() => undefined); // the caller must not close the file during a read
      throw error;
    }
  }
}

export async function hashFile(path: string): Promise<Stored> {
  await using file = await open(path, 'r');
  return await hashOpen(file);
}

export const hashOpen = (file: FileHandle): Promise<Stored> => hashThrough(file, () => undefined);

/** Copies one file to another and hashes it in the same pass. */
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
