import type { Manifest } from '../../engine/ledger/manifest.js';
import type { Artifact } from '../../model/artifact.js';
import type { Digest } from '../../model/digest.js';
import type { Store } from '../ports.js';
import type { Work } from '../work.js';

/** The sealed manifest behind its artifact, verified. */
export const readManifest = async ({ store }: Pick<Work, 'store'>, { digest }: Artifact): Promise<Manifest> =>
  JSON.parse(await readText(store, digest)) as Manifest;

/** A whole object as text, verified. */
export async function readText(store: Pick<Store, 'get'>, digest: Digest): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await store.get(digest)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
