import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Digest, hexOf } from '../../model/digest.js';

const FOLDER = 'quarantine';

/** `quarantine/<what it was>-<time>-<a few digits>`: nothing that was set aside is ever replaced. */
export const asideName = (was: string): string =>
  `${FOLDER}/${was}-${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 4)}`;

/** Moves a file of the store out of the way and answers where it is now; null where nothing stood there any more.
 * @param isIt whether what was moved is what was to be moved: another may have put the right one there meanwhile, which goes back */
export async function setAside(
  store: string,
  path: string,
  was: string,
  isIt: (moved: string) => Promise<boolean>,
): Promise<string | null> {
  // To move the right one and put it back would leave a moment in which another is taken for the first.
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

/** False where the file is gone by now. */
const unlessGone = (looked: Promise<boolean>): Promise<boolean> =>
  looked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return false;
    throw error;
  });

/** Files that once stood for a digest and were set aside. */
export async function asideOf(store: string, digest: Digest): Promise<readonly string[]> {
  const names = await readdir(join(store, FOLDER)).catch((): string[] => []);
  return names.filter((name) => name.startsWith(`${hexOf(digest)}-`)).map((name) => join(store, FOLDER, name));
}
