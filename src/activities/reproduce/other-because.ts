import type { Artifact, ArtifactKind } from '../../model/artifact.js';
import { short, type Digest } from '../../model/digest.js';
import type { Result } from '../../model/result.js';

interface OtherBuild {
  readonly digest: Digest;
  /** Inputs that could only be made with other bytes. */
  readonly moved: readonly string[];
  readonly sameBuilder: boolean;
}

/** Says why a build gave other bytes than in its run. The sdist is the same: it is fetched by digest. */
export function otherBecause(
  { digest, moved, sameBuilder }: OtherBuild,
  former: Result,
  artifacts: readonly Artifact[],
): string {
  const [was, now] = [lockIn(former.artifacts), lockIn(artifacts)];
  const reasons = [
    ...moved.map((id) => `${id} has other bytes than in its run`),
    ...(was === now ? [] : [`its build requirements are locked as ${text(now)}, and were ${text(was)}`]),
    ...(sameBuilder ? [] : ['this version of Slipway builds wheels otherwise']),
  ];
  const because = reasons.length === 0 ? 'it is not reproducible: sdist, base, lock and builder are the same' : '';
  return `built again as ${short(digest)}: ${because}${reasons.join('; ')}`;
}

const LOCKS: readonly ArtifactKind[] = ['buildLock'];
const lockIn = (artifacts: readonly Artifact[]): Digest | null =>
  artifacts.find(({ kind }) => LOCKS.includes(kind))?.digest ?? null;
const text = (lock: Digest | null): string => (lock === null ? 'none' : short(lock));
