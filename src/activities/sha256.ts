import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Digest, short } from '../model/digest.js';

export const sha256 = (text: string): Digest => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Name of the empty file that says of a folder what was filled into it. */
export const filledMark = (text: string): string => `.filled-${short(sha256(text))}`;

export async function sha256OfFile(path: string): Promise<Digest> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return `sha256:${hash.digest('hex')}`;
}
