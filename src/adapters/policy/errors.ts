import { problem } from '../../model/problem.js';

export const policyUnsafe = problem.denied((path: string, why: string) => [
  'POLICY_UNSAFE',
  `the policy ${path} may come from another user: ${why}`,
  "Give it and the folders above it to the worker's user, and remove others' write access: `chmod go-w`. Then read it through and `slipway policy check`.",
]);
export const policyUnreadable = problem.denied((path: string, why: string) => [
  'POLICY_UNREADABLE',
  `the policy ${path} cannot be read: ${why}`,
  'Fix the file, or the path in SLIPWAY_POLICY; then `slipway policy check`.',
]);
export const policyExists = problem.config((path: string) => [
  'POLICY_EXISTS',
  `there is a policy already: ${path}`,
  'It is never replaced. Print the draft with `--print`, and take from it what is missing.',
]);
export const repositoryUnknown = problem.infra((repository: string, words: string) => [
  'POLICY_REPOSITORY',
  `the repository of the policy, ${repository}, did not list the branches and tags of the commit: ${words}`,
  "The step retries. Try `git ls-remote` as the worker's user; correct `repository` in the policy if it is wrong.",
]);
