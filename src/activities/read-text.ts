import type { Manifest } from '../engine/ledger/manifest.js';
import type { Digest } from '../model/digest.js';
import type { Store } from './ports.js';

export const readManifest = async (store: Pick<Store, 'get'>, digest: Digest): Promise<Manifest> =>
  JSON.parse(await readText(store, digest)) as Manifest;

/** Bytes of a text, to be put into the store. */
export async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** Reads an object as UTF-8 text, verified. */
export async function readText(store: Pick<Store, 'get'>, digest: Digest): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await store.get(digest)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
