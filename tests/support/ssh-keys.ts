import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SshKey {
  readonly path: string;
  /** Text of its .pub file. */
  readonly public: string;
}

/** A real key of OpenSSH's, without a passphrase. */
export function sshKey(folder: string, name: string, type: 'ed25519' | 'ecdsa' = 'ed25519'): SshKey {
  const path = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', `${name}@example`, '-f', path]);
  return { path, public: readFileSync(`${path}.pub`, 'utf8') };
}
