import type { Problem } from '../../model/failure.js';

const config = (code: string, message: string, next: string, file?: string): Problem => ({
  code,
  class: 'config',
  message,
  next,
  ...(file !== undefined && { place: { file } }),
});

/** What can be wrong around a release file, one function a code. */
export const problems = {
  noReleaseFile: (file: string): Problem =>
    config(
      'RELEASE_FILE_ABSENT',
      `there is no file ${JSON.stringify(file)}`,
      'Name a release file, or its folder: `slipway plan path/to/slipway.yaml`.',
    ),
  unreadable: (file: string, why: string): Problem =>
    config('RELEASE_FILE_UNREADABLE', `${JSON.stringify(file)} cannot be read: ${why}`, 'Mend its permissions.'),
  tooBig: (file: string, bytes: number): Problem =>
    config(
      'RELEASE_FILE_TOO_BIG',
      `the file has ${bytes} bytes; at most 1048576 are read`,
      'A release file is a few pages. Is this the file you meant?',
      file,
    ),
  binary: (file: string): Problem =>
    config(
      'RELEASE_FILE_BINARY',
      'the file is not text: it is not valid UTF-8',
      'A release file is YAML in UTF-8. Is this the file you meant?',
      file,
    ),
  bundleTooBig: (folder: string, what: string): Problem =>
    config(
      'BUNDLE_TOO_BIG',
      `the release file's folder ${JSON.stringify(folder)} holds ${what}`,
      'Everything beside a release file travels with the plan. Put the release file into a folder of its own, with only what the steps read.',
    ),
  bundleLink: (path: string, to: string): Problem =>
    config(
      'BUNDLE_LINK',
      `${JSON.stringify(path)} is a link to ${JSON.stringify(to)}`,
      'Beside a release file stand regular files only, so that any machine sees the same. Copy what it points to, or take it away.',
    ),
  noProfile: (name: string, known: readonly string[]): Problem =>
    config(
      'PROFILE_ABSENT',
      `there is no profile ${JSON.stringify(name)}`,
      `Profiles here: ${known.join(', ') || 'none'}. One of your own stands beside the release file as profiles/NAME.yaml.`,
    ),
  noGit: (folder: string, why: string): Problem =>
    config(
      'GIT_ABSENT',
      `${JSON.stringify(folder)} is not a git repository that can be read: ${why}`,
      "`source.git` is the path of a repository, from the release file's folder.",
    ),
  commitAbsent: (commit: string, folder: string): Problem =>
    config(
      'COMMIT_ABSENT',
      `the repository ${JSON.stringify(folder)} has no commit ${JSON.stringify(commit)}`,
      '`git fetch` it there, or name one of `git log --oneline`.',
    ),
} as const;
