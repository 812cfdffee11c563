import type { Problem } from '../../model/failure.js';

export const policyUnsafe = (path: string, why: string): Problem => ({
  code: 'POLICY_UNSAFE',
  class: 'denied',
  message: `the policy ${path} may come from another user: ${why}`,
  next: "Give it and the folders above it to the worker's user, and remove others' write access: `chmod go-w`. Then read it through and `slipway policy check`.",
});

export const policyUnreadable = (path: string, why: string): Problem => ({
  code: 'POLICY_UNREADABLE',
  class: 'denied',
  message: `the policy ${path} cannot be read: ${why}`,
  next: 'Fix the file, or the path in SLIPWAY_POLICY; then `slipway policy check`.',
});

export const policyExists = (path: string): Problem => ({
  code: 'POLICY_EXISTS',
  class: 'config',
  message: `there is a policy already: ${path}`,
  next: 'It is never replaced. Print the draft with `--print`, and take from it what is missing.',
});

export const repositoryUnknown = (repository: string, words: string): Problem => ({
  code: 'POLICY_REPOSITORY',
  class: 'infra',
  message: `the repository of the policy, ${repository}, did not list the branches and tags of the commit: ${words}`,
  next: "The step retries. Try `git ls-remote` as the worker's user; correct `repository` in the policy if it is wrong.",
});
