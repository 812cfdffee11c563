import type { Problem } from '../../model/failure.js';
import type { Spot } from '../../plan/errors.js';
import type { Ends } from './bisect-span.js';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });
const shown = (text: string): string => JSON.stringify(text.slice(0, 100));

export const mistakes = {
  commitAbsent: (end: keyof Ends, name: string, folder: string): Problem =>
    config(
      'BISECT_COMMIT_ABSENT',
      `--${end} ${shown(name)} is no commit of the repository ${shown(folder)}`,
      '`git fetch` it there, or name one of `git log --first-parent --oneline`.',
    ),
  sameCommit: ({ good, bad }: Ends, hash: string): Problem =>
    config(
      'BISECT_SAME_COMMIT',
      `--good ${shown(good)} and --bad ${shown(bad)} are both ${hash.slice(0, 12)}: nothing lies between`,
      'Name as --good the last commit at which the test passed.',
    ),
  swapped: ({ good, bad }: Ends): Problem =>
    config(
      'BISECT_ENDS_SWAPPED',
      `--bad ${shown(bad)} is an ancestor of --good ${shown(good)}`,
      `Swap them: \`--good ${bad} --bad ${good}\`. The good commit is the older one.`,
    ),
  noPath: ({ good, bad }: Ends): Problem =>
    config(
      'BISECT_NO_PATH',
      `the first parents of --bad ${shown(bad)} do not lead to --good ${shown(good)}: it is on another branch, or came by a merge`,
      'Name as --good a commit of `git log --first-parent --oneline BAD`; in a shallow clone type `git fetch --unshallow` first.',
    ),
  tooLong: ({ good, bad }: Ends, count: number, most: number): Problem =>
    config(
      'BISECT_TOO_LONG',
      `${count} commits lie between ${shown(good)} and ${shown(bad)}, and a bisect takes at most ${most}`,
      'Name a newer --good.',
    ),
  noGitSource: (spot: Spot): Problem => ({
    ...config(
      'BISECT_NO_GIT',
      'the source of the file is no git repository, so it has no commits',
      'Bisect a file with `source: { git: … }`.',
    ),
    ...(spot.place && { place: spot.place }),
    ...(spot.path && { path: spot.path }),
  }),
};
