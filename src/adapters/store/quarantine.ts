import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Digest, hexOf } from '../../model/digest.js';

const FOLDER = 'quarantine';

/** `quarantine/<original name>-<time>-<random>`: unique, so nothing in quarantine is replaced. */
export const asideName = (was: string): string =>
  `${FOLDER}/${was}-${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 4)}`;

/** Moves a file of the store to quarantine and returns its new path. Null if it was gone.
 * @param isIt true if the moved file is the intended one; a replacement by another writer goes back */
export async function setAside(
  store: string,
  path: string,
  was: string,
  isIt: (moved: string) => Promise<boolean>,
): Promise<string | null> {
  // Checks first: moving a good file away, even briefly, would let another writer create the name.
  if (!(await unlessGone(isIt(path)))) return null;
  const aside = join(store, asideName(was));
  await mkdir(dirname(aside), { recursive: true });
  const moved = await rename(path, aside).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  if (!moved) return null;
  if (await isIt(aside)) return aside;
  await link(aside, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(aside);
  return null;
}

const unlessGone = (looked: Promise<boolean>): Promise<boolean> =>
  looked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return false;
    throw error;
  });

/** Returns the quarantined files of a digest. */
export async function asideOf(store: string, digest: Digest): Promise<readonly string[]> {
  const names = await readdir(join(store, FOLDER)).catch((): string[] => []);
  return names.filter((name) => name.startsWith(`${hexOf(digest)}-`)).map((name) => join(store, FOLDER, name));
}
