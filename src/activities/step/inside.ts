import { lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { linkLeadsOut } from './errors.js';

interface Place {
  readonly folder: string;
}

/** Throws LINK_LEADS_OUT unless a path is inside the step's folder after resolving links. A program in the sandbox may
 * leave links that, outside it, lead the worker to other files of the machine. */
export function assertInside({ folder }: Place, path: string): void {
  // A sandboxed program can replace only the last part: its parents are not mounted.
  const root = join(realpathSync(dirname(folder)), basename(folder));
  const real = realOf(path);
  if (real !== root && !real?.startsWith(`${root}/`)) throw fail(linkLeadsOut(path.slice(folder.length + 1)));
}

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
