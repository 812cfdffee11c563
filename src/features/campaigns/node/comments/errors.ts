import type { Problem } from '../../../../model/failure.js';

const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

export const problems = {
  notAComment: (fault: string): Problem =>
    config('COMMENT_MALFORMED', `the workflow's input ${fault}`, 'Write a comment: it starts the workflow.'),
  hooksAbsent: (file: string): Problem =>
    config('HOOKS_ABSENT', `there is no file ${file}`, 'Write it: docs/campaigns.md shows one.'),
  noSource: (file: string): Problem =>
    config('COMMENT_NO_SOURCE', `${file} has no repository as \`source.git\``, 'Name one: a comment gives its commit.'),
  notFetched: (pull: number, why: string): Problem => ({
    ...{ code: 'COMMENT_NOT_FETCHED', class: 'infra', message: `git did not fetch the head of pull request ${pull}` },
    ...{ next: 'It is tried again. Correct what the line below says.', evidence: [why.split('\n')[0]!.slice(0, 300)] },
  }),
};
