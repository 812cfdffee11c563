import { dirname } from 'node:path';
import { fail } from '../../../model/failure.js';
import type { ReadFile } from '../../../plan/read/release-file.js';
import type { Spot } from '../../../plan/errors.js';
import { gitSourceOf } from '../../../plan/git-source.js';
import { problems } from '../../../plan/taken/errors.js';
import type { Repository } from '../../git/index.js';
import { askRepository, commitOf } from '../git.js';

/** Commits of a branch that are looked at for wheels. */
const MOST_COMMITS = 10;

export interface OfBranch {
  readonly commit: string;
  readonly branch: string;
}

/** Questions about the commits of the source's repository. */
export interface Commits {
  /** Returns 40 hex digits. Throws WHEEL_TAKE_ABSENT. */
  find(name: string): Promise<string>;
  /** Returns the last commits of these branches by first parents, newest first. Throws WHEEL_TAKE_ABSENT.
   * @param owner git remote that has the branches; null for the branches of the repository itself */
  newest(branches: readonly string[], owner: string | null): Promise<readonly OfBranch[]>;
  /** Returns the first of these branches that holds a commit. Null if none does. */
  branchOf(commit: string, branches: readonly string[]): Promise<string | null>;
  /** Whether the repository itself belongs to the owner, by the address it was cloned from. */
  isOwn(owner: string): Promise<boolean>;
  /** Returns the text of a file. Null if the commit has none. */
  text(commit: string, path: string): Promise<string | null>;
}

/** Opens the source's repository until `use` settles. Throws WHEEL_NEEDS_GIT if the source is none. */
export async function withCommits<T>(
  { file, folder, spot, take }: { file: ReadFile; folder: string; spot: Spot; take: string },
  use: (commits: Commits) => Promise<T>,
): Promise<T> {
  const source = gitSourceOf(file.content);
  if (source === null) throw fail(problems.needsGit(spot, take));
  const { git } = source;
  return askRepository(folder, git, file.at(['source', 'git']), (repository) => use(commitsOf(repository, git, spot)));
}

function commitsOf(repository: Repository, folder: string, spot: Spot): Commits {
  const ask = (...args: readonly string[]): Promise<string | null> =>
    repository.ask(...args).then(
      (text) => text.trim(),
      () => null,
    );
  const find = async (name: string, shown: string, owner: string | null): Promise<string> => {
    const found = await commitOf(repository, name).catch(() => null);
    if (found === null) throw fail(problems.takeAbsent(spot, shown, folder, owner));
    return found;
  };
  return {
    find: (name) => find(name, name, null),
    async newest(branches, owner) {
      const lists = branches.map(async (branch) => {
        const tip = await find(owner === null ? branch : `refs/remotes/${owner}/${branch}`, branch, owner);
        const listed = await ask('rev-list', '--first-parent', '--timestamp', `--max-count=${MOST_COMMITS}`, tip);
        return (listed ?? '')
          .split('\n')
          .map((line) => ({ at: Number(line.split(' ')[0]), commit: line.split(' ')[1]!, branch }));
      });
      return newestOf(await Promise.all(lists)).slice(0, MOST_COMMITS);
    },
    async branchOf(commit, branches) {
      for (const branch of branches)
        for (const ref of [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`])
          if ((await ask('merge-base', '--is-ancestor', commit, ref)) !== null) return branch;
      return null;
    },
    async isOwn(owner) {
      const address = (await repository.setting('remote.origin.url')) ?? '';
      return dirname(address).split(/[/:]/).pop() === owner;
    },
    text: (commit, path) => repository.ask('cat-file', 'blob', `${commit}:${path}`).catch(() => null),
  };
}

interface Dated extends OfBranch {
  /** Seconds since 1970. */
  readonly at: number;
}

/** Merges the commits of several branches by their time, each commit once. One branch keeps its order. */
function newestOf(lists: readonly (readonly Dated[])[]): readonly OfBranch[] {
  const all = lists.length === 1 ? lists[0]! : lists.flat().toSorted((a, b) => b.at - a.at);
  const seen = new Set<string>();
  return all.filter(({ commit }) => !seen.has(commit) && seen.add(commit));
}
