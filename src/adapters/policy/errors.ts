import type { Problem } from '../../model/failure.js';

export const policyUnsafe = (path: string, why: string): Problem => ({
  code: 'POLICY_UNSAFE',
  class: 'denied',
  message: `the policy ${path} may come from somebody else: ${why}`,
  next: "Give it and the folders above it to the worker's user, and let nobody else write there: `chmod go-w`. Then look through it and `slipway policy check`.",
});

export const policyUnreadable = (path: string, why: string): Problem => ({
  code: 'POLICY_UNREADABLE',
  class: 'denied',
  message: `the policy ${path} cannot be read: ${why}`,
  next: 'Mend the file, or what SLIPWAY_POLICY says; then `slipway policy check`.',
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
  message: `the repository of the policy, ${repository}, does not say where the commit is: ${words}`,
  next: "The step asks again by itself. Try `git ls-remote` as the worker's user; mend `repository` in the policy if it is wrong.",
});
