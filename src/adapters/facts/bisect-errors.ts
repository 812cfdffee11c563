import { catalogue } from '../../model/catalogue.js';
import { problem } from '../../model/problem.js';
import { config } from '../../plan/errors.js';
import type { Ends } from './bisect-span.js';

const shown = (text: string): string => JSON.stringify(text.slice(0, 100));

export const mistakes = {
  commitAbsent: problem.config((end: keyof Ends, name: string, folder: string) => [
    'BISECT_COMMIT_ABSENT',
    `--${end} ${shown(name)} is no commit of the repository ${shown(folder)}`,
    '`git fetch` it there, or name one of `git log --first-parent --oneline`.',
  ]),
  sameCommit: problem.config(({ good, bad }: Ends, hash: string) => [
    'BISECT_SAME_COMMIT',
    `--good ${shown(good)} and --bad ${shown(bad)} are both ${hash.slice(0, 12)}: nothing lies between`,
    'Name as --good the last commit at which the test passed.',
  ]),
  swapped: problem.config(({ good, bad }: Ends) => [
    'BISECT_ENDS_SWAPPED',
    `--bad ${shown(bad)} is an ancestor of --good ${shown(good)}`,
    `Swap them: \`--good ${bad} --bad ${good}\`. The good commit is the older one.`,
  ]),
  noPath: problem.config(({ good, bad }: Ends) => [
    'BISECT_NO_PATH',
    `the first parents of --bad ${shown(bad)} do not lead to --good ${shown(good)}: it is on another branch, or came by a merge`,
    'Name as --good a commit of `git log --first-parent --oneline BAD`; in a shallow clone type `git fetch --unshallow` first.',
  ]),
  tooLong: problem.config(({ good, bad }: Ends, count: number, most: number) => [
    'BISECT_TOO_LONG',
    `${count} commits lie between ${shown(good)} and ${shown(bad)}, and a bisect takes at most ${most}`,
    'Name a newer --good.',
  ]),
  ...catalogue(config, {
    noGitSource: () => [
      'BISECT_NO_GIT',
      'the source of the file is no git repository, so it has no commits',
      'Bisect a file with `source: { git: … }`.',
    ],
  }),
};
