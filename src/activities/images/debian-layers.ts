import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UNDER_EVERY_BUILD } from '../../model/build-packages.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { KINDS } from '../../model/kinds.js';
import type { Work } from '../work.js';
import type { DebianBase, DebianLayers, ImagePorts } from './ports.js';
import { lookUpTag, ownLabels, type StagingLocation, placeOf, stage, talkOf } from './staged.js';

type Base = Work<'makeBase'>;

/** Lines of a failed installation that are read. */
const KEPT_LINES = 20;

/** The packages of each layer, lowest first: the suite alone, what every build has, and the rest. */
export function layersOf(packages: readonly string[]): readonly (readonly string[])[] {
  const under: readonly string[] = UNDER_EVERY_BUILD;
  const rest = packages.filter((name) => !under.includes(name));
  const shared = under.every((name) => packages.includes(name));
  const sets = shared ? [under, rest] : [packages];
  return [[], ...sets.filter((set) => set.length > 0)];
}

/** Content of an image: its tag and its name in the engine are made from it. */
export const debianContent = async (work: Base, { bases }: ImagePorts, base: DebianBase): Promise<unknown> => ({
  epoch: KINDS.makeBase.epoch,
  // Machines of two kinds may share a staging registry, and each makes its own by the same recipe.
  oci: base.oci,
  debian: await bases.key(base, work.env()),
});

/** Puts a Debian base into the engine under `local`. Layers that are known are not made again. */
export async function bringDebian(work: Base, ports: ImagePorts, base: DebianBase, local: string): Promise<void> {
  const layers = ports.bases.layers?.fit(base) === true ? layersOf(base.packages) : [base.packages];
  await bringLayer(work, ports, { base, layers, local });
}

interface Stack {
  readonly base: DebianBase;
  /** At least one. */
  readonly layers: readonly (readonly string[])[];
  readonly local: string;
}

async function bringLayer(work: Base, ports: ImagePorts, { base, layers, local }: Stack): Promise<void> {
  const { engine, bases } = ports;
  if (await engine.has(local, work.signal)) return;
  const [top, ...lower] = [...layers].reverse();
  if (lower.length === 0) {
    const tar = await bases.make({ ...base, packages: top! }, work.env(), talkOf(work));
    return engine.importTar(tar, { reference: local, labels: ownLabels(work), platform: base.oci }, talkOf(work));
  }
  const below = { ...base, packages: lower.flat() };
  const place = placeOf(work, `bases/debian-${base.suite}`, await debianContent(work, ports, below));
  await once(place.local, () => bringShared(work, ports, place, { base: below, layers: lower.reverse() }));
  await install(work, ports, bases.layers!, { base: { ...base, packages: top! }, on: place.local, local });
}

/** A layer that other bases stand on too: in the engine, else in staging, else made and put there for other machines. */
async function bringShared(
  work: Base,
  ports: ImagePorts,
  place: StagingLocation,
  { base, layers }: Omit<Stack, 'local'>,
): Promise<void> {
  const { engine } = ports;
  if (await engine.has(place.local, work.signal)) return;
  const there = await lookUpTag(work, ports, place);
  if (there === null) {
    await bringLayer(work, ports, { base, layers, local: place.local });
    await stage(work, ports, place, base.oci);
    return;
  }
  const reference = `${place.address}/${place.repository}@${there.digest}`;
  await engine.pull(reference, base.oci, talkOf(work));
  await engine.tag(reference, place.local);
}

/** Bases of one suite are often made side by side: the first makes what they share, the others wait. */
const underway = new Map<string, Promise<void>>();

async function once(name: string, make: () => Promise<void>): Promise<void> {
  for (;;) {
    const other = underway.get(name);
    if (other === undefined) break;
    await other.catch(() => undefined); // its failure is that of its own step
  }
  const made = make().finally(() => underway.delete(name));
  underway.set(name, made);
  return made;
}

interface Installation {
  /** The packages of this layer alone. */
  readonly base: DebianBase;
  readonly on: string;
  readonly local: string;
}

async function install(
  work: Base,
  { engine }: ImagePorts,
  layers: DebianLayers,
  { base, on, local }: Installation,
): Promise<void> {
  const context = join(work.folder, `layer-${base.packages.length}`);
  await mkdir(context, { recursive: true });
  await writeFile(join(context, 'Dockerfile'), layers.dockerfile(base, on));
  const lines: string[] = [];
  const { log, signal } = talkOf(work);
  const keep = (text: string): void | Promise<void> => {
    lines.push(...text.split('\n').filter((line) => line.trim()));
    lines.splice(0, lines.length - KEPT_LINES);
    return log(text);
  };
  const image = {
    context,
    dockerfile: 'Dockerfile',
    reference: local,
    labels: ownLabels(work),
    epoch: 0,
    network: true,
  };
  try {
    await engine.build({ ...image, args: proxies(work.env()), platform: base.oci }, { log: keep, signal });
  } catch (error) {
    const failed = error instanceof SlipwayFailure && error.first.code === 'DOCKER_BUILD_FAILED';
    throw failed ? fail(layers.whyFailed(base.suite, lines), error) : error;
  }
}

/** Every Dockerfile knows these arguments, and no image keeps them. */
const proxies = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^(https?|no)_proxy$/i.test(name)));
