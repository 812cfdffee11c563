import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { git } from './git.js';
import { parsedRelease, readReleaseText } from './release-text.js';

/** Files, by path in the repository, that differ from the commit that is checked out, where that one is released.
 * The release file does not count, nor does what stands beside it in a folder of its own: both are read as they stand.
 * Only a note hangs on this, so failures are none. */
export async function uncommitted(file: string, cwd: string = process.cwd()): Promise<readonly string[]> {
  const { folder, name, ...read } = await readReleaseText(file, cwd);
  const { source } = parsedRelease(read).content;
  if (!('git' in source)) return [];
  const repository = resolve(folder, source.git);
  try {
    const commit = (of: string): Promise<string> => git(repository, 'rev-parse', '--verify', `${of}^{commit}`);
    const [released, head, top, beside] = await Promise.all([
      commit(source.commit),
      commit('HEAD'),
      git(repository, 'rev-parse', '--show-toplevel'),
      realpath(folder),
    ]);
    if (released !== head) return [];
    const root = await realpath(top.trim());
    const travels = repository === folder ? join(beside, name) : `${beside}/`;
    const within = source.folder === undefined ? '' : `${source.folder}/`;
    const isReleased = (path: string): boolean => path.startsWith(within) && !join(root, path).startsWith(travels);
    const status = await git(repository, 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=all');
    return changed(status).filter(isReleased);
  } catch {
    return [];
  }
}

/** `XY path`, each ended by a zero byte. */
const changed = (status: string): readonly string[] =>
  status
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3));
