import { join } from 'node:path';
import { type FoundRepository, findRepository } from './find.js';
import { filesOf, type GitFile } from './objects.js';
import { runGit, streamGit } from './run.js';
import { makeView } from './view.js';

export { GitStopped } from './run.js';

/** Queries of one repository. Git reads its objects, references and index, but none of its settings. */
export interface Repository {
  /** Folder of the work tree. Null: a bare repository. */
  readonly top: string | null;
  /** Returns git's output. Rejects on a non-zero exit status. */
  ask(...args: readonly string[]): Promise<string>;
  /** Like `ask`, with the files of the work tree. */
  askTree(...args: readonly string[]): Promise<string>;
  /** Returns files of a commit by path, without those that it lacks. @param tree `COMMIT:` or `COMMIT:folder/`
   * @param wanted bytes of the largest text that is read, by path; -1: none is */
  files(tree: string, wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, GitFile>>;
  /** Returns one setting as text. Null if it is unset. */
  setting(key: string): Promise<string | null>;
}

/** Opens the repository of a folder until `use` settles. Rejects if there is none. */
export async function withRepository<T>(folder: string, use: (repository: Repository) => Promise<T>): Promise<T> {
  const found = await existing(folder);
  await using view = await makeView(found);
  return await use(questions(found, view.path));
}

/** Returns the work tree that holds a folder. Rejects if there is none. */
export async function workTreeOf(folder: string): Promise<string> {
  const { top } = await existing(folder);
  if (top === null) throw new NoRepository('a bare repository has no work tree');
  return top;
}

/** `git archive` of a commit. @param tree an empty work tree @param cwd its folder to archive */
export async function* archiveOf(
  folder: string,
  commit: string,
  { tree, cwd }: { readonly tree: string; readonly cwd: string },
): AsyncIterable<Uint8Array> {
  await using view = await makeView(await existing(folder));
  const where = ['-c', 'tar.umask=0022', `--git-dir=${view.path}`, `--work-tree=${tree}`];
  yield* streamGit([...where, 'archive', '--format=tar', commit], cwd);
}

function questions({ common, top }: FoundRepository, view: string): Repository {
  return {
    top,
    ask: (...args) => runGit([`--git-dir=${view}`, ...args]),
    askTree: (...args) => runGit([`--git-dir=${view}`, `--work-tree=${top ?? '/nonexistent'}`, ...args]),
    files: (tree, wanted) => filesOf([`--git-dir=${view}`], tree, wanted),
    setting: (key) =>
      runGit(['config', '--file', join(common, 'config'), '--no-includes', '--get', key]).then(
        (text) => text.trim() || null,
        () => null,
      ),
  };
}

async function existing(folder: string): Promise<FoundRepository> {
  const found = await findRepository(folder);
  if (found === null) throw new NoRepository('neither it nor a folder above it is a git repository');
  return found;
}

export class NoRepository extends Error {
  override readonly name = 'NoRepository';
}
