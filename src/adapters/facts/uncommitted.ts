import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withRepository } from '../git/index.js';
import { commitOf } from './git.js';
import { parsedRelease, readReleaseText } from './release-text.js';

/** Files, by path in the repository, that differ from the commit that is checked out, where that one is released.
 * The release file does not count, nor does what stands beside it in a folder of its own: both are read as they stand.
 * Only a note hangs on this, so failures are none. */
export async function uncommitted(file: string, cwd: string = process.cwd()): Promise<readonly string[]> {
  const { folder, name, ...read } = await readReleaseText(file, cwd);
  const { source } = parsedRelease(read).content;
  if (!('git' in source)) return [];
  const path = resolve(folder, source.git);
  const listed = withRepository(path, async (repository) => {
    const [released, head] = await Promise.all([commitOf(repository, source.commit), commitOf(repository, 'HEAD')]);
    if (released !== head || repository.top === null) return [];
    const [root, beside] = await Promise.all([realpath(repository.top), realpath(folder)]);
    const travels = path === folder ? join(beside, name) : `${beside}/`;
    const within = source.folder === undefined ? '' : `${source.folder}/`;
    const isReleased = (file: string): boolean => file.startsWith(within) && !join(root, file).startsWith(travels);
    return changed(await repository.askTree(...STATUS)).filter(isReleased);
  });
  return listed.catch(() => []);
}

/** Submodules are left out: git would ask each with the settings of its own. */
const STATUS = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'];

/** `XY path`, each ended by a zero byte. */
const changed = (status: string): readonly string[] =>
  status
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3));
