import { isDigest, short } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { connect } from '../publish/connect.js';
import type { Body } from '../work.js';
import { nothingToPromote, notStaged, promotedDiffers } from './errors.js';
import type { ImagePorts } from './ports.js';
import { imageArtifact, placeOf } from './staged.js';

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
