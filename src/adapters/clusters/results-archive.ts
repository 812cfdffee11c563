import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { unpack } from '../archive/unpack.js';

/** A file that the head touches before it packs: its time is the head's clock. */
export const NOW_FILE = '.slipway-now';

/** Unpacks results of a head. Files keep their age by the head's clock. Links are left out.
 * Returns by how many milliseconds the head's clock is ahead of this one. */
export async function unpackResults(archive: string, into: string): Promise<number> {
  const times = new Map<string, number>();
  let nowThere = 0;
  await unpack(archive, into, ({ name, kind, mtime }) => {
    const inner = name.replace(/^(\.\/)+/, '').replace(/\/$/, '');
    if (inner === NOW_FILE) nowThere = mtime;
    if (inner === '' || inner === NOW_FILE || (kind !== 'file' && kind !== 'folder')) return null;
    if (kind === 'file') times.set(inner, mtime);
    return inner;
  });
  const nowHere = Date.now() / 1000;
  for (const [name, mtime] of times) {
    const at = nowHere - Math.max(0, nowThere - mtime);
    await utimes(join(into, name), at, at);
  }
  return nowThere === 0 ? 0 : (nowThere - nowHere) * 1000;
}
