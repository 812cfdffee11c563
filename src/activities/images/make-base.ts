import { short } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { KINDS } from '../../model/kinds.js';
import type { Params } from '../../model/params.js';
import type { Body, Work } from '../work.js';
import { imageWithoutDigest } from './errors.js';
import type { ImagePorts } from './ports.js';
import { imageArtifact, lookUp, ownLabels, placeOf, stage, talkOf } from './staged.js';

type From = Params['makeBase']['from'];

/** A base image in staging under `bases/<name>`: looked up there, then in the engine, then made. */
export const createMakeBase = (ports: ImagePorts): Body<'makeBase'> =>
  async function makeBase(work) {
    const { name, from } = work.step.params;
    const place = placeOf(work, `bases/${name}`, await contentOf(from, work, ports));
    const there = await lookUp(work, ports, place);
    if (!there) await bring(work, ports, place.local);
    const staged = there ?? (await stage(work, ports, place));
    const note = `${describe(from)}, ${short(staged.digest)}`;
    return { artifacts: [imageArtifact(place, name, staged, work.step.axes)], note, reused: there !== null };
  };

async function contentOf(from: From, work: Work<'makeBase'>, { bases }: ImagePorts): Promise<unknown> {
  const { epoch } = KINDS.makeBase;
  if ('image' in from) return { epoch, image: from.image };
  return { epoch, debian: await bases.key({ suite: from.debian, packages: from.packages }, work.env()) };
}

async function bring(work: Work<'makeBase'>, { engine, bases }: ImagePorts, local: string): Promise<void> {
  const { from } = work.step.params;
  if (await engine.has(local, work.signal)) return;
  if ('image' in from) {
    if (!/@sha256:[0-9a-f]{64}$/.test(from.image)) throw fail(imageWithoutDigest(from.image));
    await engine.pull(from.image, talkOf(work));
    return engine.tag(from.image, local);
  }
  const tar = await bases.make({ suite: from.debian, packages: from.packages }, work.env(), talkOf(work));
  await engine.importTar(tar, local, ownLabels(work), talkOf(work));
}

const describe = (from: From): string =>
  'image' in from ? from.image.replace(/@.*/, '') : `Debian ${from.debian} with ${from.packages.length} packages`;
