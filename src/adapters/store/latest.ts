import type { Latest, Layout, Pointers } from '../../activities/ports.js';

export type Files = Omit<Layout, 'moveLatest'>;

/** `{branch}/latest/{rest}`. `rest` must not start with a commit, because a branch may end in `latest`. */
const THROUGH_LATEST = /^(.+?)\/latest\/(?![0-9a-f]{40}(?:\/|$))(.*)$/;

/** Adds a pointer to each branch's latest commit, read through `{branch}/latest/`.
 * @param onMoved called after each attempt to move; `latest` reads the branch's pointer */
export function withLatest(
  files: Files,
  pointers: Pointers,
  release: string,
  onMoved: (branch: string, latest: () => Promise<Latest | null>) => Promise<void> = async () => undefined,
): Layout {
  // A single path part, because one branch may once have been the folder of another. Git allows no ':' in branch names.
  const nameOf = (branch: string): string => `layout/${release}/${branch.replaceAll('/', ':')}`;
  const latestOf = (branch: string): Promise<Latest | null> => pointers.read<Latest>(nameOf(branch));
  const resolved = async (path: string): Promise<string | null> => {
    const [, branch, rest] = THROUGH_LATEST.exec(path) ?? [];
    if (branch === undefined) return path;
    const latest = await latestOf(branch);
    return latest === null ? null : `${branch}/${latest.commit}/${rest}`;
  };
  return {
    place: files.place,
    find: async (path) => {
      const real = await resolved(path);
      return real === null ? null : await files.find(real);
    },
    list: async (prefix) => {
      const real = await resolved(prefix);
      return real === null ? [] : await files.list(real);
    },
    moveLatest: async (branch, to, wins) => {
      const { value } = await pointers.move(nameOf(branch), to, wins);
      await onMoved(branch, () => latestOf(branch));
      return value;
    },
  };
}
