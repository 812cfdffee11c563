import { lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { linkLeadsOut } from './errors.js';

/** The folder of an attempt. `Work` is one. */
interface Place {
  readonly folder: string;
}

/** Throws LINK_LEADS_OUT unless a path is inside the step's folder, whatever links are on the way. A program in the sandbox may leave
 * links there: for the worker, which is outside of it, they lead to files of the machine. */
export function assertInside({ folder }: Place, path: string): void {
  // Only its last part can be replaced: what is above is not mounted.
  const root = join(realpathSync(dirname(folder)), basename(folder));
  const real = realOf(path);
  if (real !== root && !real?.startsWith(`${root}/`)) throw fail(linkLeadsOut(path.slice(folder.length + 1)));
}

/** Makes a new folder for the worker itself. What a program left under its name is removed. */
export function newFolder(place: Place, ...parts: readonly string[]): string {
  const path = join(place.folder, ...parts);
  assertInside(place, dirname(path));
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/** The real path of the nearest part that is there. Null for a link that leads nowhere: a file would be made there. */
function realOf(path: string): string | null {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return realOf(dirname(path));
    return realpathSync(path);
  } catch {
    return null;
  }
}
