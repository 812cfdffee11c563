import type { Manifest } from '#slipway/engine/ledger/manifest.js';
import type { Artifact } from '#slipway/model/artifact.js';
import type { Digest } from '#slipway/model/digest.js';
import type { Plan, StepOf } from '#slipway/model/plan.js';
import type { Target } from '#slipway/model/target.js';
import type { TargetKind } from '#slipway/model/target-kinds.js';

export interface Wanted {
  readonly target: string;
  readonly kind: TargetKind;
  /** File name, path in a Maven repository, or `repository:tag`. */
  readonly name: string;
  readonly digest: Digest;
}

/** Derives expected names from plan and sealed manifest, independent of the code that publishes. Only for targets of
 * the profile `local`, the only drilled ones. */
export function wantedOf(plan: Plan, manifest: Manifest): readonly Wanted[] {
  const all = plan.steps
    .filter((step): step is StepOf<'publishArtifacts'> => step.kind === 'publishArtifacts')
    .flatMap((step) => ofStep(step, plan.release.version, manifest));
  return [...new Map(all.map((one) => [`${one.target} ${one.name}`, one])).values()];
}

function ofStep({ params }: StepOf<'publishArtifacts'>, version: string, manifest: Manifest): readonly Wanted[] {
  const { target, of, tags } = params;
  const names = tags.length > 0 ? tags : [version];
  return [...manifest.artifacts, ...manifest.evidence]
    .filter(({ step }) => of.includes(step))
    .flatMap((artifact) =>
      namesOf(target, artifact, names).map((name) => ({
        ...{ target: target.name, kind: target.kind },
        ...{ name, digest: artifact.digest },
      })),
    );
}

function namesOf({ kind, repository }: Target, artifact: Artifact, tags: readonly string[]): readonly string[] {
  const { name, labels } = artifact;
  if (kind === 'python') return ['wheel', 'sdist'].includes(artifact.kind) ? [name] : [];
  if (kind === 'oci') return artifact.kind === 'image' ? tags.map((tag) => `${repository ?? ''}:${tag}`) : [];
  if (kind !== 'maven' || artifact.kind !== 'jar') return [];
  const { groupId = '', artifactId = '', version = '' } = labels;
  return [`${groupId.replaceAll('.', '/')}/${artifactId}/${version}/${name}`];
}
