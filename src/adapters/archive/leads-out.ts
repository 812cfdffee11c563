import { lstat, readlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Linux's own limit for links in one path (ELOOP). */
const MOST_LINKS = 40;

/** True if a path below `root` leads out of it through existing links, or if its links loop. A missing part counts
 * as a folder, because a later file may create it. */
export async function leadsOut(root: string, path: string): Promise<boolean> {
  const open = relative(root, path).split(sep);
  const done: string[] = [];
  for (let links = 0; open.length > 0;) {
    const part = open.shift()!;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (done.pop() === undefined) return true;
      continue;
    }
    const target = await linkAt(join(root, ...done, part));
    if (target === null) done.push(part);
    else if (target.startsWith('/') || (links += 1) > MOST_LINKS) return true;
    else open.unshift(...target.split('/'));
  }
  return false;
}

async function linkAt(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null);
  return stat?.isSymbolicLink() ? readlink(path) : null;
}
