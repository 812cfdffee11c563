import type { Artifact } from '../../model/artifact.js';
import type { Digest } from '../../model/digest.js';
import type { Result } from '../../model/result.js';
import { isUnderSeal, type Manifest } from './manifest.js';

/** A name with other bytes in a record than in the seal. */
export interface Altered {
  readonly name: string;
  /** Null if the record omits it. */
  readonly named: Digest | null;
  /** Null if the seal omits it. */
  readonly sealed: Digest | null;
}

/** Compares a result with the manifest. Empty if they agree, and for steps that the seal did not list.
 * @param sealed digest of the manifest */
export function alteredIn(
  { artifacts, facts, kind, step }: Result,
  sealed: Digest,
  manifest: Manifest,
): readonly Altered[] {
  if (kind === 'sealManifest') {
    const named = new Set([String(facts['manifest']) as Digest, ...artifacts.map(({ digest }) => digest)]);
    return [...named].filter((one) => one !== sealed).map((one) => ({ name: 'the manifest', named: one, sealed }));
  }
  if (!manifest.done.includes(step)) return [];
  const told = artifacts.filter(isUnderSeal);
  const under = [...manifest.artifacts, ...manifest.evidence].filter((one) => one.step === step);
  const strange = told.filter((one) => !isAmong(under, one));
  const lost = under.filter((one) => !isAmong(told, one));
  const names = [...new Set([...strange, ...lost].map(({ name }) => name))];
  const digestOf = (all: readonly Artifact[], name: string): Digest | null =>
    all.find((one) => one.name === name)?.digest ?? null;
  return names.map((name) => ({ name, named: digestOf(strange, name), sealed: digestOf(lost, name) }));
}

const isAmong = (all: readonly Artifact[], { name, digest }: Artifact): boolean =>
  all.some((other) => other.name === name && other.digest === digest);
