import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;

/** Folders in which workers write with the modes that builds need. */
const OF_WORKERS = ['cache', 'running', 'store', 'work', 'workers'];

export interface WidePart {
  readonly path: string;
  readonly mode: number;
}

/** Creates the home for its user alone. Removes other users' access from an existing home and its direct entries.
 * Deeper paths are then unreachable; Docker's folders keep their modes. Returns the changed parts. */
export function makePrivate(home: string): readonly WidePart[] {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const wide = wideParts(home);
  for (const { path, mode } of wide) chmodSync(path, mode & ~OTHERS);
  for (const name of OF_WORKERS) mkdirSync(join(home, name), { recursive: true, mode: 0o700 });
  return wide;
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

function entriesOf(home: string): readonly string[] {
  try {
    return readdirSync(home).map((name) => join(home, name));
  } catch {
    return [];
  }
}
