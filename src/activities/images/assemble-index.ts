import { short, isDigest } from '../../model/digest.js';
import { fail, type Problem } from '../../model/failure.js';
import type { Params } from '../../model/params.js';
import { ociIndex, type IndexChild } from '../../engine/ledger/oci-index.js';
import { sha256 } from '../sha256.js';
import type { Body, Work } from '../work.js';
import { childDiffers, childMissing, noChildren, notStaged, nothingToPromote, promotedDiffers } from './errors.js';
import type { ImagePorts } from './ports.js';
import { imageArtifact, placeOf, type StagingLocation } from './staged.js';
import { connect } from '../publish/connect.js';

type Index = Work<'assembleIndex'>;
type Child = Params['assembleIndex']['children'][number];

/** Builds an OCI index over staged images, checks each image's platform, pushes the index and reads it back. */
export const createAssembleIndex = ({ registry }: Pick<ImagePorts, 'registry'>): Body<'assembleIndex'> =>
  async function assembleIndex(work) {
    const { project, children, dropped } = work.step.params;
    const there = children.filter((child) => resultOf(work, child));
    if (there.length === 0) throw fail(noChildren(work.step.id));
    const place = placeOf(work, project, null);
    const text = ociIndex(await looked(work, registry, place, there))!;
    const digest = sha256(text);
    const tag = `index-${digest.slice('sha256:'.length, 'sha256:'.length + 12)}`;
    const known = await registry.find(place.address, place.repository, digest, work.signal);
    if (!known) await registry.putIndex(place.address, place.repository, tag, text, work.signal);
    const staged = known ?? (await registry.find(place.address, place.repository, digest, work.signal));
    if (staged?.digest !== digest) throw fail(notStaged(`${place.repository}:${tag}`, digest, staged?.digest ?? null));
    const platforms = there.map(({ platform }) => platform);
    const without = [...dropped.map(({ platform }) => platform), ...absent(children, there)];
    return {
      artifacts: [imageArtifact(place, project, staged, { ...work.step.axes, index: platforms.join(',') })],
      facts: { platforms, without },
      note: `${platforms.join(', ')}, ${short(digest)}${without.length > 0 ? `; without ${without.join(', ')}` : ''}`,
      reused: known !== null,
    };
  };

const absent = (all: readonly Child[], there: readonly Child[]): readonly string[] =>
  all.filter((child) => !there.includes(child)).map(({ platform }) => platform);

/** Undefined if an operator skipped the image's step. A failed image step would have stopped this step. */
const resultOf = (work: Index, { step }: Child) => work.inputs.find((input) => input.step === step);

/** Reads each child from staging. Throws all problems at once. */
async function looked(
  work: Index,
  registry: ImagePorts['registry'],
  { address, repository }: StagingLocation,
  children: readonly Child[],
): Promise<readonly IndexChild[]> {
  const problems: Problem[] = [];
  const found: IndexChild[] = [];
  for (const child of children) {
    const image = resultOf(work, child)?.artifacts.find(({ kind }) => kind === 'image');
    const seen = image ? await registry.read(address, repository, image.digest, work.signal) : null;
    if (!seen || !image) problems.push(childMissing(work.step.id, child.step, child.platform, image?.digest ?? null));
    else if (seen.platforms.join() !== child.platform) problems.push(childDiffers(work.step.id, child, seen.platforms));
    else found.push({ digest: seen.digest, mediaType: seen.mediaType, size: seen.bytes, platform: child.platform });
  }
  if (problems.length > 0) throw fail(problems);
  return found;
}

/** Copies the image of a published tag into staging by digest, so that the tested bytes are the published bytes. */
export const createPromoteImage = ({
  published,
  registry,
}: Pick<ImagePorts, 'published' | 'registry'>): Body<'promoteImage'> =>
  async function promoteImage(work) {
    const { project, from, tag, digest: wanted } = work.step.params;
    const target = await connect(work, from);
    const name = `${from.repository ?? ''}:${tag}`;
    const seen = await published.digestOf(target, tag, work);
    if (seen === null) throw fail(nothingToPromote(from.name, name));
    if (wanted !== null && wanted !== seen) throw fail(promotedDiffers(from.name, name, wanted, seen));
    // A later attempt uses the digest that the first one saw, even if the tag has moved. A retry by an operator reads
    // the tag again.
    const remembered = await work.remember(work.round === undefined ? 'digest' : `digest@${work.round}`, seen);
    const digest = isDigest(remembered) ? remembered : seen;
    if (wanted !== null && wanted !== digest) throw fail(promotedDiffers(from.name, name, wanted, digest));
    const place = placeOf(work, project, null);
    const there = await registry.find(place.address, place.repository, digest, work.signal);
    if (!there) await published.bring(target, digest, place.repository, work);
    const staged = await registry.read(place.address, place.repository, digest, work.signal);
    if (staged?.digest !== digest)
      throw fail(notStaged(`${place.repository}@${digest}`, digest, staged?.digest ?? null));
    const { platforms, index } = staged;
    const labels: Record<string, string> = index ? { index: platforms.join(',') } : { oci: platforms.join() };
    return {
      artifacts: [imageArtifact(place, project, staged, labels)],
      facts: { from: name, digest, platforms },
      note: `${name} as it is, ${short(digest)}, ${platforms.join(', ')}`,
      reused: there !== null,
    };
  };
