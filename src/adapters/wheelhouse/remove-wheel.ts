import { realpath, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { HouseFile } from '../../model/folder-prune.js';
import { readWheel } from './read-wheelhouse.js';

/** Removes a wheel if it is a plain file with that digest, in a folder that no link leads to. Returns why it stays. Null: it is gone.
 * @param path of the wheelhouse, without links */
export async function removeWheel(path: string, { folder, file, digest }: HouseFile): Promise<string | null> {
  const within = join(path, folder);
  try {
    if ((await realpath(within)) !== within) return 'a link leads to its folder';
    const seen = await readWheel(join(within, file));
    if (seen?.digest !== digest) return 'it has other bytes than the review says';
    await unlink(join(within, file));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
