import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Latest, Layout, Pointers, Stored } from '../../activities/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { asStoreFailure, storeMissing } from './errors.js';
import { type Files, withLatest } from './latest.js';
import { layoutPath } from './names.js';
import { copyVerified, objectPath } from './objects.js';
import { asideOf } from './quarantine.js';
import { hashFile } from './read-through.js';

const errno = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const nullIfAbsent = (error: unknown): null => {
  if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return null;
  throw error;
};

/** Files of a release under `layout/<release>/`, and its pointers, each also a symbolic link `{branch}/latest`. */
export function createLayout(store: string, pointers: Pointers, release: string): Layout {
  const root = join(store, 'layout', layoutPath(release));
  return withLatest(createFiles(store, root), pointers, release, (branch, latest) => relink(root, branch, latest));
}

/** Updates the link for tools without pointers. Reads the pointer again after linking, in case another writer moved
 * it. */
async function relink(root: string, branch: string, latest: () => Promise<Latest | null>): Promise<void> {
  const link = join(root, layoutPath(branch), 'latest');
  for (let linked = ''; ;) {
    const to = await latest();
    if (to === null || to.commit === linked) return;
    const beside = `${link}.${randomUUID()}`;
    await mkdir(dirname(link), { recursive: true });
    try {
      await symlink(to.commit, beside);
      await rename(beside, link);
    } catch (error) {
      await rm(beside, { force: true });
      // The pointer is valid without a link: the path is occupied, or the file system has no links.
      if (['EISDIR', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errno(error))) return;
      throw asStoreFailure(error, link);
    }
    linked = to.commit;
  }
}

/** Hard-links the object under its name. Copies it if no further link is allowed. */
function createFiles(store: string, root: string): Files {
  const at = (path: string): string => join(root, layoutPath(path));
  const files: Files = {
    place: async (path, digest) => {
      const object = objectPath(store, digest);
      const size = (await stat(object).catch(nullIfAbsent))?.size;
      if (size === undefined) throw fail(storeMissing(digest));
      if (await linkFirst(store, object, digest, at(path))) return { digest, size };
      if (await freed(store, digest, at(path))) return files.place(path, digest);
      return (await isSame(object, at(path))) ? { digest, size } : (await storedAt(at(path)))!;
    },
    find: async (path) => await storedAt(at(path)),
    list: async (prefix) => (await filesUnder(at(prefix.replace(/\/$/, '')), prefix)).sort(),
  };
  return files;
}

/** Frees a name that is still a hard link of an object in quarantine. Returns whether it did. */
async function freed(store: string, digest: Digest, path: string): Promise<boolean> {
  for (const aside of await asideOf(store, digest)) {
    if (!(await isSame(aside, path))) continue;
    await rm(path);
    return true;
  }
  return false;
}

/** False if the name was taken. */
async function linkFirst(store: string, object: string, digest: Digest, path: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await link(object, path);
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    if (errno(error) === 'EMLINK' || errno(error) === 'EPERM') return await copyFirst(store, digest, path);
    throw asStoreFailure(error, path);
  }
}

async function copyFirst(store: string, digest: Digest, path: string): Promise<boolean> {
  const copy = join(store, 'tmp', `${process.pid}-${randomUUID()}`);
  try {
    await copyVerified(store, digest, copy);
    await link(copy, path);
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw asStoreFailure(error, path);
  } finally {
    await rm(copy, { force: true });
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other)]);
  return a.ino === b.ino && a.dev === b.dev;
}

/** Reads the bytes: anybody may have put the file there. */
const storedAt = (path: string): Promise<Stored | null> => hashFile(path).catch(nullIfAbsent);

async function filesUnder(folder: string, prefix: string): Promise<string[]> {
  const entries: Dirent[] = (await readdir(folder, { withFileTypes: true }).catch(nullIfAbsent)) ?? [];
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.isDirectory()) found.push(...(await filesUnder(join(folder, entry.name), `${prefix}${entry.name}/`)));
    else if (entry.isFile()) found.push(prefix + entry.name);
  }
  return found;
}
