import { problem } from '../../../../model/problem.js';

export const notAComment = problem.config((fault: string) => [
  'COMMENT_MALFORMED',
  `the workflow's input ${fault}`,
  'Write a comment: it starts the workflow.',
]);
export const hooksAbsent = problem.config((file: string) => [
  'HOOKS_ABSENT',
  `there is no file ${file}`,
  'Copy config/hooks.example.yaml to it, and write your repository and jobs.',
]);
export const noSource = problem.config((file: string) => [
  'COMMENT_NO_SOURCE',
  `${file} has no repository as \`source.git\``,
  'Write `source: { git: PATH }` in it: a comment gives the commit.',
]);
export const notFetched = problem.infra((pull: number, why: string) => [
  'COMMENT_NOT_FETCHED',
  `git did not fetch the head of pull request ${pull}`,
  'It is tried again. Correct what the line below says.',
  { evidence: [why.split('\n')[0]!.slice(0, 300)] },
]);
