import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readReleaseFile } from '../../plan/read/release-file.js';
import { git } from './git.js';
import { readReleaseText } from './release-text.js';

/** Files, by path in the repository, that differ from the commit that is checked out, where that one is released.
 * The release file does not count, nor does what stands beside it in a folder of its own: both are read as they stand.
 * Only a note hangs on this, so failures are none. */
export async function uncommitted(file: string, cwd: string = process.cwd()): Promise<readonly string[]> {
  const { text, shown, folder, name } = await readReleaseText(file, cwd);
  const { source } = readReleaseFile(text, shown).content;
  if (!('git' in source)) return [];
  const repository = resolve(folder, source.git);
  try {
    const commit = (of: string): Promise<string> => git(repository, 'rev-parse', '--verify', `${of}^{commit}`);
    if ((await commit(source.commit)) !== (await commit('HEAD'))) return [];
    const root = await realpath((await git(repository, 'rev-parse', '--show-toplevel')).trim());
    const beside = await realpath(folder);
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
