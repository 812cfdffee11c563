import { isSealed, isSealedFile, type Manifest } from '../../engine/ledger/manifest.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Work } from '../work.js';
import { readManifest } from '../seal/read-manifest.js';
import { noManifest, notSealed } from './errors.js';
import type { Item } from './target.js';

/** What was sealed, and the digest of it. */
export interface Sealed {
  readonly digest: Digest;
  readonly manifest: Manifest;
}

/** Refuses what is not under the seal: only bytes that were built and tested in this run go out. Answers the manifest. */
export async function mustBeSealed(
  work: Pick<Work, 'artifacts' | 'store' | 'step'>,
  items: readonly Item[],
): Promise<Sealed> {
  const [artifact] = work.artifacts('manifest');
  if (!artifact) throw fail(noManifest(work.step.id));
  const manifest = await readManifest(work, artifact);
  const strangers = items.filter((item) => !isUnder(manifest, item));
  if (strangers.length > 0) throw fail(strangers.map((item) => notSealed(item.name, item.artifact.digest)));
  return { digest: artifact.digest, manifest };
}

/** Of a source the commit is under the seal, not a file. */
function isUnder(manifest: Manifest, { artifact: { kind, labels, digest } }: Item): boolean {
  if (kind === 'source') return manifest.source.kind === 'git' && manifest.source.commit === labels['commit'];
  return kind === 'file' ? isSealedFile(manifest, digest) : isSealed(manifest, digest);
}
