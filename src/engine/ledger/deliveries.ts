import { ARTIFACT_KINDS, type Artifact, type ArtifactKind } from '../../model/artifact.js';
import type { StepId } from '../../model/ids.js';
import { TARGETS } from '../../model/target-kinds.js';
import type { Target } from '../../model/target.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { Manifest, SealedArtifact } from './manifest.js';

type Made = Artifact & Pick<SealedArtifact, 'step' | 'source'>;

/** Returns what a publish step sends, from the sealed manifest alone. */
export const sealedItemsOf = (
  of: readonly StepId[],
  takes: readonly ArtifactKind[],
  manifest: Manifest,
): readonly Made[] =>
  [...manifest.artifacts, ...manifest.evidence, ...sourceOf(manifest, of)].filter(
    ({ step, kind }) => of.includes(step) && takes.includes(kind),
  );

const sourceOf = ({ source }: Manifest, of: readonly StepId[]): readonly Made[] =>
  source.kind !== 'git'
    ? []
    : of.map((step) => ({
        ...{ step, kind: 'source' as const, name: 'source.tar', size: 0 },
        digest: `sha256:${'0'.repeat(64)}` as const,
        labels: { commit: source.commit },
      }));

/** Tags of an image. The version if the release file has none. */
export const namesOf = (tags: readonly string[], version: string): readonly string[] =>
  tags.length > 0 ? tags : [version];

export interface Delivery {
  readonly target: Target;
  readonly files: readonly { readonly artifact: Artifact; readonly tags: readonly string[] }[];
}

/** Returns the sealed bytes for each target, in the plan's order. A target of an unknown kind may take all that it is offered.
 * @param leftOut publish steps that do not run */
export function deliveriesOf(
  { steps }: Pick<Plan, 'steps'>,
  manifest: Manifest,
  leftOut: ReadonlySet<StepId>,
): readonly Delivery[] {
  const publishing = steps.filter((step) => step.kind === 'publishArtifacts') as readonly StepOf<'publishArtifacts'>[];
  const targets = new Map(publishing.map(({ params }) => [params.target.name, params.target]));
  return [...targets.values()].map((target) => ({
    target,
    files: publishing
      .filter(({ id, params }) => params.target.name === target.name && !leftOut.has(id))
      .flatMap(({ params: { of, tags } }) =>
        sealedItemsOf(of, TARGETS[target.kind]?.artifacts ?? ARTIFACT_KINDS, manifest).map((artifact) => ({
          artifact,
          tags,
        })),
      ),
  }));
}

export function undelivered({ artifacts }: Manifest, deliveries: readonly Delivery[]): readonly SealedArtifact[] {
  const delivered = new Set(deliveries.flatMap(({ files }) => files.map(({ artifact }) => artifact.digest)));
  return artifacts.filter(({ digest }) => !delivered.has(digest));
}
