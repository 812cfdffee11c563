import { randomUUID } from 'node:crypto';
import { closeSync, fdatasync, linkSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { asStoreFailure } from './errors.js';

const FOLDER = 'tmp';
/** No write of one object takes longer. */
const LEFT_OVER_AFTER_MS = 24 * 3_600_000;

/** Starts with the writer's pid, so that a sweep can tell whether the writer lives. */
const newName = (): string => `${process.pid}-${randomUUID()}`;

const flushed = promisify(fdatasync);

const errno = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Lets `write` make a temporary file, passes its path to `publish`, and always removes it. */
async function published<T>(
  store: string,
  write: (path: string) => Promise<void>,
  publish: (path: string) => T | Promise<T>,
): Promise<T> {
  const path = join(store, FOLDER, newName());
  try {
    await write(path);
    return await publish(path);
  } catch (error) {
    throw asStoreFailure(error, store);
  } finally {
    removeNow(path, store);
  }
}

/** Writes and flushes a temporary file, passes its path to `publish`, and always removes it. */
export const withTemporary = <T>(
  store: string,
  write: (file: FileHandle) => Promise<void>,
  publish: (path: string) => Promise<T>,
): Promise<T> =>
  published(
    store,
    async (path) => {
      await using file = await inFolder(path, () => open(path, 'wx', 0o644));
      await write(file);
      await file.datasync();
    },
    publish,
  );

/** Like `withTemporary` for a small text. Only the flush is asynchronous, because it takes half of the time. */
export const withSmall = <T>(
  store: string,
  text: string | Uint8Array,
  publish: (path: string) => T | Promise<T>,
): Promise<T> =>
  published(
    store,
    async (path) => {
      const file = inFolderNow(path, () => openSync(path, 'wx', 0o644));
      try {
        writeFileSync(file, text);
        await flushed(file);
      } finally {
        closeSync(file);
      }
    },
    publish,
  );

/** `unlinkSync` saves the two extra system calls of `rmSync`. */
function removeNow(path: string, store: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw asStoreFailure(error, store);
  }
}

/** True if the link was made. False if the name exists. */
export function linkFirst(from: string, to: string): boolean {
  try {
    inFolderNow(to, () => linkSync(from, to));
    return true;
  } catch (error) {
    if (errno(error) === 'EEXIST') return false;
    throw error;
  }
}

export function inFolderNow<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    return act();
  }
}

/** Retries `act` after creating the missing folder, which almost always exists already. */
export async function inFolder<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true });
    return act();
  }
}

/** Removes temporary files of dead writers. Returns how many. */
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
