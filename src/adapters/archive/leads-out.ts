import { lstat, readlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Links that one path may pass; the kernel's limit is the same. */
const MOST_LINKS = 40;

/** Whether a path below `root` leads out of it, through whatever links are there. What does not exist is taken for a folder:
 * somebody may make it later. A loop counts as leading out. */
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

/** Returns a link's destination. Null if there is no link. */
async function linkAt(path: string): Promise<string | null> {
  const stat = await lstat(path).catch(() => null);
  return stat?.isSymbolicLink() ? readlink(path) : null;
}
