import type { Problem } from '../../../../model/failure.js';

const refusal = (code: string, message: string, next: string): Problem => ({ code, class: 'denied', message, next });
const config = (code: string, message: string, next: string): Problem => ({ code, class: 'config', message, next });

export const problems = {
  notAComment: (fault: string): Problem =>
    config('COMMENT_MALFORMED', `the workflow's input ${fault}`, 'Write a comment on the pull request: it starts the workflow.'),
  noHooks: (repository: string): Problem =>
    config('COMMENT_OF_NO_REPOSITORY', `hooks.yaml names no repository ${repository}`, 'Correct `repository` in hooks.yaml, then comment again.'),
  stranger: (user: string, has: string, wanted: string): Problem =>
    refusal('COMMENT_NOT_ALLOWED', `${user} may not start runs here: the permission is ${has}, and ${wanted} is asked for`, 'Ask a person with that permission to comment.'),
  fork: (from: string): Problem =>
    refusal('COMMENT_OF_FORK', `the head of this pull request is in ${from}`, 'Push the branch to this repository, or allow forks in hooks.yaml.'),
  closed: (number: number): Problem =>
    refusal('COMMENT_ON_CLOSED', `the pull request ${number} is closed`, 'Open it again, then comment again.'),
  pushed: (head: string): Problem =>
    refusal('COMMENT_HEAD_MOVED', `the head of this pull request was pushed after the comment, to ${head.slice(0, 12)}`, 'Look at what was pushed, then comment again.'),
  edited: (): Problem =>
    refusal('COMMENT_EDITED', 'this comment was changed after it was written, so it starts nothing', 'Write a new comment.'),
  noSource: (job: string): Problem =>
    config('COMMENT_NO_SOURCE', `the release file of ${job} has no \`source.git\``, 'Name the repository there: a comment gives its commit.'),
  noRemote: (job: string): Problem =>
    config('COMMENT_NO_REMOTE', `the repository of ${job} has no remote \`origin\``, 'Type `git remote add origin ADDRESS` there.'),
  notFetched: (pull: number, why: string): Problem => ({
    ...{ code: 'COMMENT_NOT_FETCHED', class: 'infra', message: `git did not fetch the head of pull request ${pull}` },
    ...{ next: 'It is tried again. Correct what the line below says.', evidence: [why.split('\n')[0]!.slice(0, 300)] },
  }),
  noRehearsal: (job: string): Problem =>
    config('COMMENT_RELEASES', `the job ${job} would release`, 'Name a pipeline, or a profile that rehearses, in hooks.yaml.'),
};
