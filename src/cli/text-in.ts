import type { Store } from '../activities/ports.js';
import type { Digest } from '../model/digest.js';

/** Text of an object of the store. */
export async function textIn(store: Store, digest: Digest): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await store.get(digest)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
