import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the paths of the files under a folder, in order. Links are ignored. */
export async function filesUnder(folder: string): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
