import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { short } from '../../model/digest.js';
import { CACHE_NAMESPACE, namespaceLine } from '../../model/dockerfile/cache-namespace.js';
import { reachesOut } from '../../model/dockerfile/reaches-out.js';
import type { Known } from '../../model/dockerfile/stages.js';
import { takesBase } from '../../model/dockerfile/takes-base.js';
import { fail } from '../../model/failure.js';
import { KINDS } from '../../model/kinds.js';
import { namedFiles } from '../../model/named-files.js';
import type { Plan } from '../../model/plan.js';
import type { Archives } from '../source/ports.js';
import { sourceTree } from '../source/tree.js';
import type { Body, Work } from '../work.js';
import { layOut } from './context.js';
import { baseUnknown, baseUnused, cacheNamespaceOwned, dockerfileFetches, dockerfileMissing } from './errors.js';
import type { ImagePorts } from './ports.js';
import { imageArtifact, lookUp, ownLabels, placeOf, stage, talkOf, type StagingLocation } from './staged.js';

/** Builds an image, pushes it to staging under the project's name and reads it back. An image that staging or the
 * engine already holds is reused. */
export const createBuildImage = (ports: ImagePorts): Body<'buildImage'> =>
  async function buildImage(work) {
    const { project, platform, oci, network = false } = work.step.params;
    work.reached('container', network);
    const place = placeOf(work, project, contentOf(work));
    const there = await lookUp(work, ports, place);
    if (!there && !(await ports.engine.has(place.local, work.signal))) await build(work, ports, place);
    const staged = there ?? (await stage(work, ports, place, oci));
    const artifact = imageArtifact(place, project, staged, {
      ...work.step.axes,
      platform,
      ...(oci !== null && { oci }),
    });
    const note = `${short(staged.digest)}, ${sizeOf(staged.size)}`;
    return { artifacts: [artifact], note, reused: there !== null };
  };

/** Formats bytes in powers of 1000, as container engines do: `12 kB`, `176 MB`. */
const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6)} MB`;

function contentOf(work: Work<'buildImage'>): unknown {
  const files = namedFiles(work.plan.bundle, work.step.files);
  return {
    epoch: KINDS.buildImage.epoch,
    release: work.plan.release,
    source: work.plan.source,
    params: work.step.params,
    inputs: work.inputs.flatMap(({ artifacts }) => artifacts.map(({ kind, name, digest }) => [kind, name, digest])),
    files: files.map(({ path, digest, executable }) => [path, digest, executable]),
  };
}

/** Fills the build context and returns the Dockerfile's path in it. Throws DOCKERFILE_MISSING, BASE_UNUSED if the
 * Dockerfile ignores its base, CACHE_NAMESPACE_OWNED or DOCKERFILE_FETCHES. */
async function layContext(work: Work<'buildImage'>, archives: Archives, into: string, known: Known): Promise<string> {
  const { dockerfile, context, base, project, args, network = false } = work.step.params;
  if (context === 'source') await sourceTree(work, archives, into);
  await layOut(work, into, { emptyToo: context !== 'source' });
  const path = context === 'source' ? dockerfile : `files/${dockerfile}`;
  const text = await readFile(join(into, path), 'utf8').catch(() => null);
  if (text === null) throw fail(dockerfileMissing(dockerfile, context === 'source'));
  const line = namespaceLine(text);
  if (line !== null) throw fail(cacheNamespaceOwned(`${dockerfile}:${line}`));
  if (CACHE_NAMESPACE in args) throw fail(cacheNamespaceOwned(`images.${project}.args`));
  if (base !== null && !takesBase(text)) throw fail(baseUnused(dockerfile, base));
  const reaches = network ? [] : reachesOut(text, known);
  if (reaches.length > 0) throw fail(reaches.map((reach) => dockerfileFetches(dockerfile, project, reach)));
  return path;
}

async function build(
  work: Work<'buildImage'>,
  { engine, archives }: ImagePorts,
  place: StagingLocation,
): Promise<void> {
  const { args, labels, oci, network = false } = work.step.params;
  const context = join(work.folder, 'context');
  const epoch = Number(work.env()['SOURCE_DATE_EPOCH'] ?? 0);
  const base = baseReference(work, place.address);
  const allArgs = { ...args, ...(base ? { BASE: base } : {}), SOURCE_DATE_EPOCH: String(epoch) };
  const dockerfile = await layContext(work, archives, context, { args: allArgs, base });
  // The builder asks staging without a credential, and no line of a Dockerfile gets one.
  if (base !== null) await engine.pullIfMissing(base, oci, talkOf(work));
  const allLabels = { ...ociLabels(work.plan, epoch, labels), ...ownLabels(work) };
  const image = { context, dockerfile, reference: place.local, args: allArgs, labels: allLabels };
  await engine.build({ ...image, epoch, platform: oci, network }, talkOf(work));
}

function baseReference(work: Work<'buildImage'>, staging: string): string | null {
  const { base } = work.step.params;
  if (base === null) return null;
  const image = work.inputs
    .find((result) => result.step === base)
    ?.artifacts.find((artifact) => artifact.kind === 'image');
  if (!image) throw fail(baseUnknown(work.step.id, base));
  return `${staging}/${image.labels['repository']}@${image.digest}`;
}

/** Returns OCI annotations of an image: title, version, revision, source, created.
 * @param epoch time of the source, in seconds since 1970 */
export function ociLabels(plan: Plan, epoch: number, own: Readonly<Record<string, string>>): Record<string, string> {
  const { source, release } = plan;
  const prefix = 'org.opencontainers.image.';
  return {
    [`${prefix}title`]: release.name,
    [`${prefix}version`]: release.version,
    ...originOf(source, prefix),
    [`${prefix}created`]: new Date(epoch * 1000).toISOString().replace('.000Z', 'Z'),
    ...own,
  };
}

function originOf(source: Plan['source'], prefix: string): Record<string, string> {
  if (source.kind === 'none') return {};
  return source.kind === 'git'
    ? { [`${prefix}revision`]: source.commit, [`${prefix}source`]: `git commit ${source.commit}` }
    : { [`${prefix}revision`]: `sha256:${source.sha256}`, [`${prefix}source`]: `${source.name}==${source.version}` };
}
