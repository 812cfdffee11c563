import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newer } from '../../engine/checks/native.js';
import { lostBetween, offersOf } from '../../model/python/links.js';
import type { Digest } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import { baseLine, madeForOf, type MadeBase, type BaseOffers } from '../../model/made-base.js';
import type { Links } from '../../model/python/index-entry.js';
import { records } from '../../model/run-folder.js';
import { PLATFORM_BASES } from '../../plan/platform-bases.js';
import { linkedIn } from '../index/look-inside.js';
import { newFolder } from '../step/inside.js';
import type { ImageContainers } from '../tests/ports.js';
import type { Work } from '../work.js';
import { talkOf } from './staged.js';

/** Place of the copies inside the container. */
const INSIDE = '/mnt';
const PYTHON = 'python-version';
/** Copies the libraries where the loader looks for them, and those of alternatives below. */
const COPY = `
  find -H /lib /lib64 /usr/lib /usr/lib64 /usr/local/lib -maxdepth 3 -type f -name '*.so*' -exec cp -t ${INSIDE} {} + || true
  python3 -I -c 'import platform; print(platform.python_version())' > ${INSIDE}/${PYTHON} || true`;

type Base = Work<'makeBase'>;
/** Most libraries that a finding names. */
const MOST_NAMED = 5;

/** Records a base that wheels are built in, if its line has not this one as the newest. Returns the finding ABI_MOVED if
 * libraries of the former base are gone.
 * @param image `host:port/repository@sha256:…` */
export async function recordBase(
  work: Base,
  containers: ImageContainers | null,
  { image, digest }: { readonly image: string; readonly digest: Digest },
): Promise<readonly Finding[]> {
  if (containers === null || !isForWheels(work)) return [];
  const { store, run, plan, step } = work;
  const line = baseLine(plan.release.name, step);
  const since = madeForOf(step.params.from);
  const former = await newest(work, line);
  if (former?.digest === digest && former.since === since) return [];
  const offers = former?.digest === digest ? former.offers : await baseOffers(work, containers, image);
  const made: MadeBase = { digest, at: new Date().toISOString(), run, since, offers };
  await store.create<MadeBase>(records.base(line, made), made);
  if (!former?.offers || !offers) return [];
  return moved(step.params.name, lostBetween(former.offers.libraries, offers.libraries));
}

/** A base that is refreshed, or that is a platform's, may be made for wheels of earlier runs alone. */
const isForWheels = ({ step, plan }: Base): boolean =>
  ('debian' in step.params.from && step.params.from.since !== undefined) ||
  step.id.startsWith(PLATFORM_BASES) ||
  plan.steps.some(({ kind, needs }) => kind === 'buildWheel' && needs.includes(step.id));

async function newest({ store }: Base, line: string): Promise<MadeBase | null> {
  const last = (await store.list(records.bases(line))).at(-1);
  return last === undefined ? null : store.read<MadeBase>(last);
}

function moved(base: string, lost: Links): readonly Finding[] {
  const names = Object.entries(lost).map(([name, versions]) => (versions[0] ? `${versions[0]} of ${name}` : name));
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return [
    {
      level: 'warning',
      code: 'ABI_MOVED',
      subject: base,
      why: `the new base lacks ${names.slice(0, MOST_NAMED).join(', ')}${more}, which the former one had`,
      next: 'Type `slipway run FILE` again: wheels of the index that link them are then built again.',
    },
  ];
}

/** Reads in a container what a base offers. Null if it has no libraries there, or the programs are absent.
 * @param image `host:port/repository@sha256:…` */
async function baseOffers(
  work: Work<'makeBase'>,
  containers: ImageContainers,
  image: string,
): Promise<BaseOffers | null> {
  const folder = newFolder(work, 'libraries');
  const { code } = await containers.run({
    ...{ image, platform: work.step.params.oci, argv: ['sh', '-c', COPY], cwd: '/', env: {}, network: false },
    mounts: [{ host: folder, path: INSIDE, writable: true }],
    labels: { 'slipway.run': work.run, 'slipway.step': work.step.id },
    ...{ limitMs: work.step.limitMs, signal: work.signal, onOutput: talkOf(work).log },
  });
  const names = await readdir(folder);
  const libraries = offersOf(await linkedIn(names.filter((name) => name !== PYTHON).map((name) => join(folder, name))));
  const python = (await readFile(join(folder, PYTHON), 'utf8').catch(() => '')).trim();
  await rm(folder, { recursive: true, force: true });
  if (code !== 0 || Object.keys(libraries).length === 0) return null;
  return { libraries, glibc: glibcOf(libraries['libc.so.6'] ?? []), python: python === '' ? null : python };
}

const glibcOf = (versions: readonly string[]): string | null =>
  versions
    .flatMap((text) => /^GLIBC_(\d+\.\d+(?:\.\d+)*)$/.exec(text)?.[1] ?? [])
    .reduce<string | null>((best, one) => (best === null || newer(one, best) ? one : best), null);
