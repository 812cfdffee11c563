import { catalogue } from '../../model/catalogue.js';
import { didYouMean } from '../../model/suggest.js';
import { config } from '../file-problem.js';
import { quoted } from './quoted.js';

/** Problems that keep an import of lists from being planned. */
export const problems = catalogue(config, {
  listAbsent: (file: string, branch: string) => [
    'LIST_ABSENT',
    `the branch ${quoted(branch)} has no file ${quoted(file)}`,
    'Correct the key "file", or put the branch on `ignore` with a reason.',
  ],
  listEmpty: (file: string, branch: string) => [
    'LIST_EMPTY',
    `the file ${quoted(file)} of the branch ${quoted(branch)} wants nothing`,
    'Correct the key "file", or put the branch on `ignore` with a reason.',
  ],
  branchAbsent: (branch: string, known: readonly string[]) => [
    'BRANCH_ABSENT',
    `the repository has no branch ${quoted(branch)}${didYouMean(branch, known)}`,
    'Correct the key "branch" of the row, or remove the row.',
  ],
  wantUnreadable: (text: string, why: string) => [
    'WANT_UNREADABLE',
    `${quoted(text)} is no requirement: ${why}`,
    'Write a project and its versions in the key "wants": lxml>=5,<7.',
  ],
  platformUnknown: (platform: string, known: readonly string[]) => [
    'TARGET_UNKNOWN',
    `the file has no platform ${quoted(platform)}${didYouMean(platform, known)}`,
    'Add it to the key "platforms", or correct the key "for".',
  ],
  platformPython: (platform: string, own: string, asked: string) => [
    'TARGET_PYTHON',
    `the base of the platform ${quoted(platform)} builds wheels for ${own}, and ${asked} is wanted`,
    `Name ${own} for ${platform} under the key "for", or take \`python: own\` of the base away.`,
  ],
  platformWithoutLibc: (platform: string) => [
    'TARGET_WITHOUT_GLIBC',
    `nothing says which glibc the platform ${quoted(platform)} has, and wheels of the index fit by it`,
    "Write `libc: '2.36'` under the platform; it must be one of Linux.",
  ],
});
