import type { Problem } from '../../model/failure.js';

export const sshKeygenMissing = (program: string): Problem => ({
  code: 'OPENSSH_MISSING',
  class: 'config',
  message: `${program} is not on the PATH`,
  next: 'Install the OpenSSH client (openssh-client): approvals are signed and verified with it.',
});

export const notSigned = (key: string, why: string): Problem => ({
  code: 'NOT_SIGNED',
  class: 'config',
  message: `ssh-keygen did not sign with ${key}: ${why.trim().split('\n').at(-1) ?? ''}`,
  next: 'Name your private key with --key, or add it to your agent with `ssh-add`.',
});
