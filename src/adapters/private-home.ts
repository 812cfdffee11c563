import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const OTHERS = 0o077;

/** Folders in which workers write with the modes that builds need. */
const OF_WORKERS = ['cache', 'running', 'store', 'work', 'workers'];

/** A part of a home that other users may reach. */
export interface WidePart {
  readonly path: string;
  readonly mode: number;
}

/** Makes the home, for its user alone. One that is there is narrowed, with everything directly in it: what lies deeper is out of reach
 * then, and a Docker engine's folders keep the modes that it gave them. Returns what was narrowed. */
export function makePrivate(home: string): readonly WidePart[] {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const wide = wideParts(home);
  for (const { path, mode } of wide) chmodSync(path, mode & ~OTHERS);
  for (const name of OF_WORKERS) mkdirSync(join(home, name), { recursive: true, mode: 0o700 });
  return wide;
}

/** Parts of a home that other users may reach; empty for a home that is absent. */
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
