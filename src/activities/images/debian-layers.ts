import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UNDER_EVERY_BUILD, WITH_OWN_PYTHON } from '../../model/build-packages.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { KINDS } from '../../model/kinds.js';
import { inTurn } from '../in-turn.js';
import type { Work } from '../work.js';
import type { DebianBase, DebianLayers, ImagePorts } from './ports.js';
import { ownLabels, placeOf, talkOf } from './staged.js';

type Base = Work<'makeBase'>;

const KEPT_LINES = 20;

/** Sets of packages that many bases have. */
const SHARED: readonly (readonly string[])[] = [UNDER_EVERY_BUILD, WITH_OWN_PYTHON];

/** Returns the packages of each layer, lowest first: the bare suite, the packages that other bases have too, the rest. */
export function layersOf(packages: readonly string[]): readonly (readonly string[])[] {
  const under = SHARED.find((set) => set.every((name) => packages.includes(name))) ?? [];
  const sets = [under, packages.filter((name) => !under.includes(name))];
  return [[], ...sets.filter((set) => set.length > 0)];
}

export const debianContent = async (work: Base, { bases }: ImagePorts, base: DebianBase): Promise<unknown> => ({
  epoch: KINDS.makeBase.epoch,
  // Machines of different platforms may share staging; each builds its own base by the same recipe.
  oci: base.oci,
  debian: await bases.key(base, work.env()),
});

/** Puts a Debian base into the engine under `local`. It reuses layers that exist. */
export async function bringDebian(work: Base, ports: ImagePorts, base: DebianBase, local: string): Promise<void> {
  const layers = ports.bases.layers?.fit(base) === true ? layersOf(base.packages) : [base.packages];
  await bringLayer(work, ports, { base, layers, local });
}

interface Stack {
  readonly base: DebianBase;
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
  // Bases of one suite are often built at the same time: the first builds the shared layer, the others find it.
  await inTurn(place.local, () =>
    bringLayer(work, ports, { base: below, layers: lower.reverse(), local: place.local }),
  );
  await install(work, ports, bases.layers!, { base: { ...base, packages: top! }, on: place.local, local });
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
  const image = {
    context,
    dockerfile: 'Dockerfile',
    reference: local,
    labels: ownLabels(work),
    epoch: 0,
    network: true,
  };
  try {
    await engine.build({ ...image, args: proxies(work.env()), platform: base.oci }, talkOf(work));
  } catch (error) {
    const failed = error instanceof SlipwayFailure && error.first.code === 'DOCKER_BUILD_FAILED';
    throw failed ? fail(layers.whyFailed(base.suite, work.log.tail(KEPT_LINES)), error) : error;
  }
}

/** Docker predefines these build arguments and leaves them out of the image. */
const proxies = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^(https?|no)_proxy$/i.test(name)));
