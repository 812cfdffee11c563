import type { Artifact } from '../../model/artifact.js';
import type { Digest } from '../../model/digest.js';
import type { Result } from '../../model/result.js';
import { isUnderSeal, type Manifest } from './manifest.js';

/** Returns what a result says otherwise than the manifest: artifacts that were not sealed of its step, or not as they are named
 * here. Empty if it says the same, and for steps that the seal did not list.
 * @param sealed digest of the manifest */
export function alteredIn(
  { artifacts, facts, kind, step }: Result,
  sealed: Digest,
  manifest: Manifest,
): readonly Pick<Artifact, 'name' | 'digest'>[] {
  if (kind === 'sealManifest') {
    const named = [String(facts['manifest']) as Digest, ...artifacts.map(({ digest }) => digest)];
    return [...new Set(named)]
      .filter((digest) => digest !== sealed)
      .map((digest) => ({ name: 'the manifest', digest }));
  }
  if (!manifest.done.includes(step)) return [];
  const under = [...manifest.artifacts, ...manifest.evidence].filter((one) => one.step === step);
  const isAmong = (all: readonly Artifact[], { name, digest }: Artifact): boolean =>
    all.some((other) => other.name === name && other.digest === digest);
  const strange = artifacts.filter((one) => isUnderSeal(one) && !isAmong(under, one));
  return [...strange, ...under.filter((one) => !isAmong(artifacts, one))];
}
