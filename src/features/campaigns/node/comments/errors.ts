import type { Problem } from '../../../../model/failure.js';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

export const problems = {
  notAComment: (fault: string): Problem =>
    config(
      'COMMENT_MALFORMED',
      `the workflow's input ${fault}`,
      'Write a comment on the pull request: it starts the workflow.',
    ),
  noHooks: (repository: string): Problem =>
    config(
      'COMMENT_OF_NO_REPOSITORY',
      `hooks.yaml names no repository ${repository}`,
      'Correct `repository` in hooks.yaml, then comment again.',
    ),
  hooksAbsent: (file: string): Problem =>
    config('HOOKS_ABSENT', `there is no file ${file}`, 'Write it: docs/campaigns.md shows one.'),
  secretUnusable: (reference: string, why: string): Problem =>
    config(
      'HOOK_SECRET_UNUSABLE',
      `the secret ${reference} of hooks.yaml ${why}`,
      'Set the variable, or name a file; then type `slipway up`.',
    ),
  noSource: (job: string): Problem =>
    config(
      'COMMENT_NO_SOURCE',
      `the release file of ${job} has no \`source.git\``,
      'Name the repository there: a comment gives its commit.',
    ),
  notFetched: (pull: number, why: string): Problem => ({
    ...{ code: 'COMMENT_NOT_FETCHED', class: 'infra', message: `git did not fetch the head of pull request ${pull}` },
    ...{ next: 'It is tried again. Correct what the line below says.', evidence: [why.split('\n')[0]!.slice(0, 300)] },
  }),
};
