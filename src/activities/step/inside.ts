import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { linkLeadsOut, noPlainFile } from './errors.js';

interface Place {
  readonly folder: string;
}

/** Throws LINK_LEADS_OUT unless a path is inside the step's folder after resolving links. A program in the sandbox may
 * leave links that, outside it, lead the worker to other files of the machine. */
export function assertInside(place: Place, path: string): void {
  if (!isInside(place, path)) throw fail(linkLeadsOut(path.slice(place.folder.length + 1)));
}

/** Throws LINK_LEADS_OUT as `assertInside` does, and NO_PLAIN_FILE for a pipe, a device or a very long file: a read would wait for
 * ever or fill the memory. Only for a path that no program can change any more. */
export function assertFile(place: Place, path: string): void {
  assertInside(place, path);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !(found.isFile() && found.size <= MOST_TEXT_BYTES))
    throw fail(noPlainFile(path.slice(place.folder.length + 1)));
}

const MOST_TEXT_BYTES = 64 * 1024 * 1024;

function isInside({ folder }: Place, path: string): boolean {
  // A sandboxed program can replace only the last part: its parents are not mounted.
  const root = join(realpathSync(dirname(folder)), basename(folder));
  const real = realOf(path);
  return real === root || real?.startsWith(`${root}/`) === true;
}

/** Opens a file of the step's folder while programs may still run there. Follows no link, and waits for no pipe.
 * Throws LINK_LEADS_OUT. */
export function openInside(place: Place, path: string, flags: number, mode?: number): number {
  assertInside(place, dirname(path));
  const file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  // A program can replace a folder after the check. Other systems than Linux do not show the path of an open file.
  if (process.platform !== 'linux' || isInside(place, `/proc/self/fd/${file}`)) return file;
  closeSync(file);
  throw fail(linkLeadsOut(path.slice(place.folder.length + 1)));
}

/** Opens a new file for the worker. Removes anything of that name that a program left. */
export function newFile(place: Place, path: string, mode?: number): number {
  assertInside(place, dirname(path));
  rmSync(path, { recursive: true, force: true });
  return openInside(place, path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
}

/** Writes a new file as `newFile` opens it. */
export function writeInside(place: Place, path: string, text: string, mode?: number): void {
  const file = newFile(place, path, mode);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

export interface PlainFile {
  readonly size: number;
  readonly mtimeMs: number;
  /** Null: it has more than the most bytes. */
  readonly text: string | null;
}

/** Reads a plain file that a program left. Null for anything else. */
export function readPlain(place: Place, path: string, mostBytes: number): PlainFile | null {
  assertInside(place, path);
  const file = openInside(place, path, constants.O_RDONLY);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return null;
    const { size, mtimeMs } = found;
    return { size, mtimeMs, text: size > mostBytes ? null : readFileSync(file, 'utf8') };
  } finally {
    closeSync(file);
  }
}

/** Returns the text of a file that a program left. Empty for anything but a plain file of at most `mostBytes`. */
export const readInside = (place: Place, path: string, mostBytes: number): string =>
  readPlain(place, path, mostBytes)?.text ?? '';

/** Makes a new folder for the worker's own files. Removes anything of that name that a program left. */
export function newFolder(place: Place, ...parts: readonly string[]): string {
  const path = join(place.folder, ...parts);
  assertInside(place, dirname(path));
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** Returns the real path of the nearest existing part. Null for a dangling link, since a write would create its target.
 */
function realOf(path: string): string | null {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return realOf(dirname(path));
    return realpathSync(path);
  } catch {
    return null;
  }
}
