import { randomUUID } from 'node:crypto';
import { closeSync, fdatasync, linkSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { mkdir, open, readdir, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { asStoreFailure } from './errors.js';

const FOLDER = 'tmp';
/** Nothing of ours takes longer to write one object. */
const LEFT_OVER_AFTER_MS = 24 * 3_600_000;

/** Name of a temporary file starts with its writer's pid, so that a sweep can tell whether it is still being written. */
const newName = (): string => `${process.pid}-${randomUUID()}`;

const flushed = promisify(fdatasync);

const errno = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Writes a file beside the store, flushed to disk, hands its path to `publish`, and removes it whatever happens. */
export async function withTemporary<T>(
  store: string,
  write: (file: FileHandle) => Promise<void>,
  publish: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(store, FOLDER, newName());
  try {
    const file = await inFolder(path, () => open(path, 'wx', 0o644));
    try {
      await write(file);
      await file.datasync();
    } finally {
      await file.close();
    }
    return await publish(path);
  } catch (error) {
    throw asStoreFailure(error, store);
  } finally {
    await unlink(path).catch((error: unknown) => {
      if (errno(error) !== 'ENOENT') throw asStoreFailure(error, store);
    });
  }
}

/** The same of a small text: only its way to the disk is waited for, which takes as long as all else together. */
export async function withSmall<T>(
  store: string,
  text: string | Uint8Array,
  publish: (path: string) => T | Promise<T>,
): Promise<T> {
  const path = join(store, FOLDER, newName());
  try {
    const file = inFolderNow(path, () => openSync(path, 'wx', 0o644));
    try {
      writeFileSync(file, text);
      await flushed(file);
    } finally {
      closeSync(file);
    }
    return await publish(path);
  } catch (error) {
    throw asStoreFailure(error, store);
  } finally {
    removeNow(path, store);
  }
}

/** Node's own `rmSync` asks twice what it removes. */
function removeNow(path: string, store: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw asStoreFailure(error, store);
  }
}

/** True where the file became what the name stands for, false where another was there first. */
export function linkFirst(from: string, to: string): boolean {
  try {
    inFolderNow(to, () => linkSync(from, to));
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw error;
  }
}

/** As `inFolder`, for what does not wait. */
export function inFolderNow<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    return act();
  }
}

/** Makes the folder of a path only where it is missing: next to always it is there. */
export async function inFolder<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true });
    return act();
  }
}

/** Removes what writers that died left behind; answers how many files. */
export async function sweepTemporary(store: string, now: () => number = Date.now): Promise<number> {
  const folder = join(store, FOLDER);
  const names = await readdir(folder).catch((): string[] => []);
  let removed = 0;
  for (const name of names) {
    if (alive(Number(name.split('-')[0])) && !(await old(join(folder, name), now))) continue;
    await rm(join(folder, name), { force: true });
    removed += 1;
  }
  return removed;
}

async function old(path: string, now: () => number): Promise<boolean> {
  const seen = await stat(path).catch(() => null);
  return seen !== null && now() - seen.mtimeMs > LEFT_OVER_AFTER_MS;
}

function alive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) === 'EPERM';
  }
}
