import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../model/failure.js';
import { namesIn } from './folder-entries.js';
import { homeNotOurs } from './home-keys/errors.js';

const OTHERS = 0o077;

/** Folders in which workers write with the modes that builds need. */
const OF_WORKERS = ['cache', 'running', 'store', 'work', 'workers'];

export interface WidePart {
  readonly path: string;
  readonly mode: number;
}

/** Creates the home for its user alone. Removes other users' access from an existing home and its direct entries.
 * Deeper paths are then unreachable; Docker's folders keep their modes. Returns the changed parts. Throws
 * HOME_NOT_OURS if another user made the home or an entry of it. */
export function makePrivate(home: string): readonly WidePart[] {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  assertMadeByUs(home);
  const wide = wideParts(home);
  for (const { path, mode } of wide) chmodSync(path, mode & ~OTHERS);
  for (const name of OF_WORKERS) mkdirSync(join(home, name), { recursive: true, mode: 0o700 });
  return wide;
}

/** Another user who made the folder may still have files in it, and may know its keys. Root is no exception. PostgreSQL
 * of a home of root runs as a user of its own. */
function assertMadeByUs(home: string): void {
  const me = process.getuid?.();
  const entries = [...entriesOf(home), ...entriesOf(join(home, 'keys'))].filter(
    (path) => path !== join(home, 'postgres'),
  );
  for (const path of [home, ...entries]) {
    const uid = (path === home ? statSync(path) : lstatSync(path, { throwIfNoEntry: false }))?.uid;
    if (uid !== undefined && uid !== me && uid !== 0) throw fail(homeNotOurs(path, uid, home));
  }
}

/** Returns parts of a home that other users may reach. Empty for an absent home. */
export function wideParts(home: string): readonly WidePart[] {
  return [home, ...entriesOf(home)].flatMap((path) => {
    const seen = lstatSync(path, { throwIfNoEntry: false });
    if (seen === undefined || !(seen.isDirectory() || seen.isFile())) return [];
    const mode = seen.mode & 0o7777;
    return (mode & OTHERS) === 0 ? [] : [{ path, mode }];
  });
}

const entriesOf = (folder: string): readonly string[] => namesIn(folder).map((name) => join(folder, name));
