import { short } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { KINDS } from '../../model/kinds.js';
import type { Params } from '../../model/params.js';
import type { Body, Work } from '../work.js';
import { imageWithoutDigest } from './errors.js';
import type { DebianBase, ImagePorts } from './ports.js';
import { recordBase } from './record-base.js';
import { bringDebian, debianContent } from './debian-layers.js';
import { imageArtifact, lookUp, placeOf, stage, talkOf } from './staged.js';

type From = Params['makeBase']['from'];

/** Puts a base image into staging under `bases/<name>`. An image that staging or the engine already holds is reused. */
export const createMakeBase = (ports: ImagePorts): Body<'makeBase'> =>
  async function makeBase(work) {
    const { name, from, oci } = work.step.params;
    const place = placeOf(work, `bases/${name}`, await contentOf(work, ports));
    const there = await lookUp(work, ports, place);
    if (!there) await bring(work, ports, place.local);
    const staged = there ?? (await stage(work, ports, place, oci));
    const image = `${place.address}/${place.repository}@${staged.digest}`;
    const findings = await recordBase(work, ports.containers ?? null, { image, digest: staged.digest });
    const note = `${describe(from, work.step.axes['platform'] === undefined ? null : oci)}, ${short(staged.digest)}`;
    return {
      artifacts: [imageArtifact(place, name, staged, { ...work.step.axes, ...(oci !== null && { oci }) })],
      findings,
      note,
      reused: there !== null,
    };
  };

async function contentOf(work: Work<'makeBase'>, ports: ImagePorts): Promise<unknown> {
  const { epoch } = KINDS.makeBase;
  const { from, oci } = work.step.params;
  if ('image' in from) return { epoch, image: from.image, oci };
  return debianContent(work, ports, debianBase(from, oci));
}

async function bring(work: Work<'makeBase'>, ports: ImagePorts, local: string): Promise<void> {
  const { engine } = ports;
  const { from, oci } = work.step.params;
  if (await engine.has(local, work.signal)) return;
  if ('image' in from) {
    if (!/@sha256:[0-9a-f]{64}$/.test(from.image)) throw fail(imageWithoutDigest(from.image));
    const image = from.registry === undefined ? from.image : `${work.address(from.registry)}/${from.image}`;
    const theirs = await engine.has(image, work.signal); // an image of the user's own keeps its name
    await engine.pull(image, oci, talkOf(work));
    await engine.tag(image, local);
    return theirs ? undefined : engine.untag(image);
  }
  await bringDebian(work, ports, debianBase(from, oci), local);
}

const debianBase = (
  { debian: suite, packages, since }: Extract<From, { readonly debian: string }>,
  oci: string | null,
): DebianBase => ({ suite, packages, oci, ...(since !== undefined && { since }) });

function describe(from: From, oci: string | null): string {
  const what =
    'image' in from ? from.image.replace(/@.*/, '') : `Debian ${from.debian} with ${from.packages.length} packages`;
  return oci === null ? what : `${what} for ${oci}`;
}
