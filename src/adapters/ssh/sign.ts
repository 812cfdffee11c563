import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { SIGNED_AS } from '../../model/gate.js';
import { notSigned } from './errors.js';
import { openssh } from './ssh-keygen.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Returns the public keys of the user's SSH agent, one line each. Empty without an agent. */
export async function agentKeys(): Promise<readonly string[]> {
  const { code, out } = await openssh('ssh-add', ['-L']);
  return code === 0 ? out.split('\n').filter((line) => /^(ssh-|ecdsa-|sk-)/.test(line)) : [];
}

/** Signs a text. Throws NOT_SIGNED or OPENSSH_MISSING.
 * @param key path of a key, or the line of a public key in the agent */
export async function sign(text: string, key: { readonly path: string } | { readonly line: string }): Promise<string> {
  await using folder = await temporaryFolder('sign');
  const path = 'path' in key ? key.path : join(folder.path, 'key.pub');
  if ('line' in key) await writeFile(path, `${key.line}\n`);
  const { code, out, err } = await openssh('ssh-keygen', ['-Y', 'sign', '-n', SIGNED_AS, '-f', path], text);
  if (code !== 0) throw fail(notSigned('path' in key ? path : 'a key of the agent', err));
  return out.trim();
}
