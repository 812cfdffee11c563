import { createHash } from 'node:crypto';
import type { Stored } from '../activities/ports.js';
import type { Digest } from '../model/digest.js';

/** Digest of bytes, or of a text in UTF-8. */
export const sha256 = (content: string | Uint8Array): Digest =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** Passes pieces on. Throws what `wrong` returns after the last one if they do not match the digest. */
export async function* compared(
  pieces: AsyncIterable<Uint8Array>,
  digest: Digest,
  wrong: () => Promise<Error>,
): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (`sha256:${hash.digest('hex')}` !== digest) throw await wrong();
}

/** Digest and size of a stream, in constant memory. */
export async function sha256OfStream(pieces: AsyncIterable<Uint8Array>): Promise<Stored> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    size += piece.length;
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}
