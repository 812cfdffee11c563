import { randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { copyFile, open, readdir, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Seen } from '../../activities/index/ports.js';
import { errnoOf } from '../../model/classify.js';
import type { Digest } from '../../model/digest.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { MOST_PAGE_BYTES } from '../../model/python/index-entry.js';
import { inFolder, linkFirst } from '../store/temporary.js';
import { indexBroken, indexDenied, indexFull } from './errors.js';
import type { Place } from './place.js';
import { digestOf, textOf } from './plain-file.js';

/** Holds files that are not complete. It is on the same disk, so that a link and a rename are atomic. */
const TMP = '.tmp';
const LEFT_OVER_AFTER_MS = 24 * 3_600_000;

/** An index in a folder of this machine.
 * @param folder absolute */
export function openFolder(target: string, folder: string): Place {
  const root = resolve(folder);
  const at = (path: string): string => join(root, path);
  const guarded = async <T>(path: string, act: () => Promise<T>): Promise<T> => act().catch(told(target, at(path)));
  const once = (path: string, write: (temporary: string) => Promise<void>): Promise<boolean> =>
    guarded(path, () => withTemporary(root, write, async (from) => linkFirst(from, at(path)), 'flushed'));
  return {
    name: root,
    list: (below) => guarded(below, () => pathsBelow(root, resolve(at(below)), (one) => one.isFile())),
    read: (path, mostBytes = MOST_PAGE_BYTES) => guarded(path, () => unlessAbsent(seenAt(target, at(path), mostBytes))),
    create: (path, text) => once(path, (to) => writeFile(to, text)),
    createFile: (path, from) => once(path, (to) => copyFile(from, to, constants.COPYFILE_FICLONE)),
    digest: (path) => guarded(path, () => unlessAbsent(digestOf(target, at(path)))),
    copy: (path, to) => guarded(path, () => unlessAbsent(copyOut(target, at(path), to))),
    links: () => guarded('', () => pathsBelow(root, root, (one) => !one.isFile() && !one.isDirectory())),
    swap: async (path, text) => {
      await guarded(path, () => replace(root, at(path), text));
      return true;
    },
    sweep: () => guarded(TMP, () => sweep(join(root, TMP))),
    remove: (path) => guarded(path, async () => void (await unlessAbsent(unlink(at(path))))),
  };
}

const seenAt = async (target: string, path: string, mostBytes: number): Promise<Seen> => ({
  text: textOf(target, path, mostBytes),
  tag: '',
});

/** Copies a plain file. Returns the digest of the copy. */
async function copyOut(target: string, from: string, to: string): Promise<Digest> {
  await digestOf(target, from); // throws for a link
  await copyFile(from, to);
  return digestOf(target, to);
}

/** By age alone: the writer may be on another machine. No write takes so long. */
async function sweep(folder: string): Promise<void> {
  for (const name of (await unlessAbsent(readdir(folder))) ?? []) {
    const seen = await unlessAbsent(stat(join(folder, name)));
    if (seen !== null && Date.now() - seen.mtimeMs > LEFT_OVER_AFTER_MS) await unlessAbsent(unlink(join(folder, name)));
  }
}

/** Node does not follow links to folders here. */
async function pathsBelow(root: string, folder: string, are: (one: Dirent) => boolean): Promise<readonly string[]> {
  const found = (await unlessAbsent(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  return found
    .filter(are)
    .map((one) => relative(root, join(one.parentPath, one.name)))
    .sort();
}

/** Renames a complete file over the old one. nginx makes an ETag of second and size, so the new time is at least a
 * second later: otherwise two pages of one size would have one ETag. */
const replace = (root: string, path: string, text: string): Promise<void> =>
  withTemporary(
    root,
    (to) => writeFile(to, text),
    async (from) => {
      const old = await unlessAbsent(stat(path));
      if (old !== null) {
        const seconds = Math.max(Math.floor(Date.now() / 1000), Math.floor(old.mtimeMs / 1000) + 1);
        await utimes(from, seconds, seconds);
      }
      await inFolder(path, () => rename(from, path));
    },
  );

async function withTemporary<T>(
  root: string,
  write: (path: string) => Promise<void>,
  publish: (path: string) => Promise<T>,
  how?: 'flushed',
): Promise<T> {
  const path = join(root, TMP, `${process.pid}-${randomUUID()}`);
  try {
    await inFolder(path, () => write(path));
    if (how) await flush(path);
    return await publish(path);
  } finally {
    // A failure to remove must not hide the first one; the folder .tmp may be emptied at any time.
    await unlink(path).catch(() => undefined);
  }
}

async function flush(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.datasync();
}

async function unlessAbsent<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  });
}

const told =
  (target: string, path: string) =>
  (error: unknown): never => {
    if (error instanceof SlipwayFailure) throw error;
    const why = (error as Error).message;
    const errno = errnoOf(error) ?? '';
    if (['EACCES', 'EPERM', 'EROFS'].includes(errno)) throw fail(indexDenied(target, dirname(path), why), error);
    if (['ENOSPC', 'EDQUOT'].includes(errno)) throw fail(indexFull(target, dirname(path)), error);
    throw fail(indexBroken(target, path, why), error);
  };
