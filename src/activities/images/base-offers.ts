import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newer } from '../../engine/checks/native.js';
import { offersOf } from '../../model/python/links.js';
import type { BaseOffers } from '../../model/made-base.js';
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

/** Reads in a container what a base offers. Null if it has no libraries there, or the programs are absent.
 * @param image `host:port/repository@sha256:…` */
export async function baseOffers(
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
