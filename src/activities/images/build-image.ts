import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { short } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { KINDS } from '../../model/kinds.js';
import type { Body, Work } from '../work.js';
import { layOut } from './context.js';
import { baseUnknown, dockerfileMissing } from './errors.js';
import { ociLabels } from './labels.js';
import type { ImagePorts } from './ports.js';
import { imageArtifact, lookUp, ownLabels, placeOf, stage, talkOf } from './staged.js';
import type { Place } from './staged.js';

/** An image in staging under the project's name: looked up there first, then in the engine, else built; pushed and read back. */
export const createBuildImage = (ports: ImagePorts): Body<'buildImage'> =>
  async function buildImage(work) {
    const { project, platform, oci } = work.step.params;
    const place = placeOf(work, project, contentOf(work));
    const there = await lookUp(work, ports, place);
    if (!there && !(await ports.engine.has(place.local, work.signal))) await build(work, ports, place);
    const staged = there ?? (await stage(work, ports, place, oci));
    const artifact = imageArtifact(place, project, staged, {
      ...work.step.axes,
      platform,
      ...(oci !== null && { oci }),
    });
    const note = `${short(staged.digest)}, ${Math.round(staged.size / 1e6)} MB`;
    return { artifacts: [artifact], note, reused: there !== null };
  };

/** All that decides what the image holds. */
function contentOf(work: Work<'buildImage'>): unknown {
  const files = work.plan.bundle.filter(({ path }) => work.step.files.some((prefix) => path.startsWith(prefix)));
  return {
    epoch: KINDS.buildImage.epoch,
    release: work.plan.release,
    source: work.plan.source,
    params: work.step.params,
    inputs: work.inputs.flatMap(({ artifacts }) => artifacts.map(({ kind, name, digest }) => [kind, name, digest])),
    files: files.map(({ path, digest, executable }) => [path, digest, executable]),
  };
}

async function build(work: Work<'buildImage'>, { engine }: ImagePorts, place: Place): Promise<void> {
  const { dockerfile, args, labels, oci } = work.step.params;
  if (!existsSync(join(work.files, dockerfile))) throw fail(dockerfileMissing(dockerfile));
  const context = join(work.folder, 'context');
  await layOut(work, context);
  const epoch = Number(work.env()['SOURCE_DATE_EPOCH'] ?? 0);
  const base = baseReference(work, place.address);
  await engine.build(
    {
      context,
      dockerfile: `files/${dockerfile}`,
      reference: place.local,
      args: { ...args, ...(base ? { BASE: base } : {}), SOURCE_DATE_EPOCH: String(epoch) },
      labels: { ...ociLabels(work.plan, epoch, labels), ...ownLabels(work) },
      epoch,
      platform: oci,
    },
    talkOf(work),
  );
}

/** The base image by digest, where staging has it. */
function baseReference(work: Work<'buildImage'>, staging: string): string | null {
  const { base } = work.step.params;
  if (base === null) return null;
  const image = work.inputs
    .find((result) => result.step === base)
    ?.artifacts.find((artifact) => artifact.kind === 'image');
  if (!image) throw fail(baseUnknown(work.step.id, base));
  return `${staging}/${image.labels['repository']}@${image.digest}`;
}
