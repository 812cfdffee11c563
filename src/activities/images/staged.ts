import { digestOf, short } from '../../model/digest.js';
import type { Artifact } from '../../model/artifact.js';
import { fail } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import { sha256 } from '../sha256.js';
import { toLog } from '../steps/where.js';
import type { Work } from '../work.js';
import { notStaged, platformDiffers } from './errors.js';
import type { ImagePorts, Staged } from './ports.js';

/** A place in the staging registry. `local` is the engine's name, which does not depend on the registry's port. */
export interface StagingLocation {
  readonly address: string;
  readonly repository: string;
  readonly tag: string;
  readonly local: string;
}

export const repositoryOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9._/-]+/g, '-');

export function placeOf(work: Pick<Work, 'address'>, name: string, content: unknown): StagingLocation {
  const repository = repositoryOf(name);
  const tag = short(digestOf(content, sha256));
  return { address: work.address('service:staging'), repository, tag, local: `slipway/${repository}:${tag}` };
}

/** Returns the staged image of the known result, which this home's key has proved. A tag proves nothing: who writes to
 * staging chooses what it names. Null if staging lacks the image. */
export async function lookUp<K extends KindName>(
  work: Work<K>,
  { registry }: Pick<ImagePorts, 'registry'>,
  { address, repository }: StagingLocation,
): Promise<Staged | null> {
  const known = work.known?.artifacts.find((artifact) => artifact.kind === 'image');
  const seen = known ? await registry.find(address, repository, known.digest, work.signal) : null;
  return seen?.digest === known?.digest ? seen : null;
}

/** Pushes an image and reads it back with its configuration. Throws IMAGE_NOT_STAGED or IMAGE_PLATFORM_DIFFERS.
 * @param oci platform that the configuration must name; null accepts any */
export async function stage<K extends KindName>(
  work: Work<K>,
  ports: ImagePorts,
  place: StagingLocation,
  oci: string | null,
): Promise<Staged> {
  const { engine, registry } = ports;
  const reference = `${place.address}/${place.repository}:${place.tag}`;
  await engine.tag(place.local, reference);
  const digest = await engine.push(reference, talkOf(work));
  const seen = await registry.read(place.address, place.repository, digest, work.signal);
  if (seen?.digest !== digest) throw fail(notStaged(reference, digest, seen?.digest ?? null));
  const says = seen.platforms.join();
  if (oci !== null && says !== oci) throw fail(platformDiffers(reference, oci, says));
  return seen;
}

export const imageArtifact = (
  place: StagingLocation,
  name: string,
  staged: Staged,
  labels: Record<string, string>,
): Artifact => ({
  kind: 'image',
  digest: staged.digest,
  name,
  size: staged.size,
  labels: { ...labels, repository: place.repository },
});

export const talkOf = <K extends KindName>(work: Work<K>) => ({
  log: toLog(work),
  signal: work.signal,
});

/** Labels by which `slipway` finds and removes its images in the engine. */
export const ownLabels = <K extends KindName>(work: Work<K>): Record<string, string> => ({
  'slipway.step': work.step.id,
  'slipway.run': work.run,
});
