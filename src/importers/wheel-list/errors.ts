import type { Problem, SourceLocation } from '../../model/failure.js';
import { didYouMean } from '../../model/suggest.js';
import { config } from '../file-problem.js';
import { quoted } from './quoted.js';

/** Problems that keep an import of lists from being planned, one function per code. */
export const problems = {
  listAbsent: (place: SourceLocation | undefined, file: string, branch: string): Problem =>
    config(
      place,
      'LIST_ABSENT',
      `the branch ${quoted(branch)} has no file ${quoted(file)}`,
      'Correct the key "file", or put the branch on `ignore` with a reason.',
    ),
  listEmpty: (place: SourceLocation | undefined, file: string, branch: string): Problem =>
    config(
      place,
      'LIST_EMPTY',
      `the file ${quoted(file)} of the branch ${quoted(branch)} wants nothing`,
      'Correct the key "file", or put the branch on `ignore` with a reason.',
    ),
  branchAbsent: (place: SourceLocation | undefined, branch: string, known: readonly string[]): Problem =>
    config(
      place,
      'BRANCH_ABSENT',
      `the repository has no branch ${quoted(branch)}${didYouMean(branch, known)}`,
      'Correct the key "branch" of the row, or remove the row.',
    ),
  wantUnreadable: (place: SourceLocation | undefined, text: string, why: string): Problem =>
    config(
      place,
      'WANT_UNREADABLE',
      `${quoted(text)} is no requirement: ${why}`,
      'Write a project and its versions in the key "wants": lxml>=5,<7.',
    ),
  platformUnknown: (place: SourceLocation | undefined, platform: string, known: readonly string[]): Problem =>
    config(
      place,
      'TARGET_UNKNOWN',
      `the file has no platform ${quoted(platform)}${didYouMean(platform, known)}`,
      'Add it to the key "platforms", or correct the key "for".',
    ),
  platformPython: (place: SourceLocation | undefined, platform: string, own: string, asked: string): Problem =>
    config(
      place,
      'TARGET_PYTHON',
      `the base of the platform ${quoted(platform)} builds wheels for ${own}, and ${asked} is wanted`,
      `Name ${own} for ${platform} under the key "for", or take \`python: own\` of the base away.`,
    ),
  platformWithoutLibc: (place: SourceLocation | undefined, platform: string): Problem =>
    config(
      place,
      'TARGET_WITHOUT_GLIBC',
      `nothing says which glibc the platform ${quoted(platform)} has, and wheels of the index fit by it`,
      "Write `libc: '2.36'` under the platform; it must be one of Linux.",
    ),
} as const;
