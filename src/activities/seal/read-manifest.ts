import type { Manifest } from '../../engine/ledger/manifest.js';
import type { Artifact } from '../../model/artifact.js';
import type { Work } from '../work.js';

/** The sealed manifest behind its artifact, verified. */
export async function readManifest({ store }: Pick<Work, 'store'>, { digest }: Artifact): Promise<Manifest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await store.get(digest)) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Manifest;
}
