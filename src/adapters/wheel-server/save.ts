import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Absent } from '../../activities/wheels/taken/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { reasonOf } from '../http/request.js';
import { notAWheel, wheelTooLarge } from './errors.js';

/** The largest wheels have 4 GB. */
const MOST_BYTES = 16 * 2 ** 30;
/** Every zip file begins so. */
const MAGIC = Buffer.from('PK');

interface Answered {
  /** Address without a query. */
  readonly url: string;
  /** The Content-Type, or `none`. */
  readonly type: string;
}

/** Writes a body to a file while it streams. Returns where it broke off. Null if it is whole. Throws WHEEL_NOT_A_WHEEL or
 * WHEEL_TOO_LARGE. */
export async function save(
  body: unknown,
  { url, type }: Answered,
  path: string,
  signal: AbortSignal,
): Promise<Absent | null> {
  let bytes = 0;
  async function* judged(): AsyncGenerator<Uint8Array> {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      const begins = Buffer.from(piece).subarray(0, 40);
      if (bytes === 0 && !MAGIC.equals(begins.subarray(0, MAGIC.length)))
        throw fail(notAWheel(url, type, begins.toString('latin1')));
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw fail(wheelTooLarge(url, `${MOST_BYTES / 2 ** 30} GiB`));
      yield piece;
    }
  }
  try {
    await pipeline(judged, createWriteStream(path), { signal });
  } catch (error) {
    if (error instanceof SlipwayFailure || signal.aborted || isOfDisk(error)) throw error;
    return { absent: `broke off after ${bytes} bytes: ${reasonOf(error)}` };
  }
  if (bytes === 0) throw fail(notAWheel(url, type, ''));
  return null;
}

const isOfDisk = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall === 'write';
