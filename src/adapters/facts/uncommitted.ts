import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gitSourceOf } from '../../plan/git-source.js';
import { withRepository } from '../git/index.js';
import { commitOf } from './git.js';
import { readReleaseText, parsedRelease } from './release-text.js';

/** Returns files that differ from HEAD, by path in the repository, if HEAD is the released commit. Skips the release
 * file and its own folder: both are read from disk. Returns none on any failure, because only a note depends on it. */
export async function uncommitted(file: string, cwd: string = process.cwd()): Promise<readonly string[]> {
  const { folder, name, ...read } = await readReleaseText(file, cwd);
  const source = gitSourceOf(parsedRelease(read).content);
  if (source === null) return [];
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

/** Skips submodules: git would query each with its own settings. */
const STATUS = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'];

/** `XY path` records, each ended by NUL. */
const changed = (status: string): readonly string[] =>
  status
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3));
