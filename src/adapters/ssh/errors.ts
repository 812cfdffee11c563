import { problem } from '../../model/problem.js';

export const sshKeygenMissing = problem.config((program: string) => [
  'OPENSSH_MISSING',
  `${program} is not on the PATH`,
  'Install the OpenSSH client (openssh-client): approvals are signed and verified with it.',
]);
export const notSigned = problem.config((key: string, why: string) => [
  'NOT_SIGNED',
  `ssh-keygen did not sign with ${key}: ${why.trim().split('\n').at(-1) ?? ''}`,
  'Name your private key with --key, or add it to your agent with `ssh-add`.',
]);
