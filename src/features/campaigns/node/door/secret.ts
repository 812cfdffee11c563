import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../../model/failure.js';
import { secretReference } from '../../../../model/secret.js';
import { problems } from '../comments/errors.js';

/** Returns the secret of the webhook, from a variable or a file. The door runs no command. Throws HOOK_SECRET_UNUSABLE. */
export async function secretOf(reference: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const found = secretReference(reference);
  const unusable = (why: string): Error => fail(problems.secretUnusable(reference, why));
  if (found === null || found.by === 'command') throw unusable('is neither a variable nor a file');
  if (found.by === 'environment') {
    const value = env[found.name];
    if (!value) throw unusable('is not set');
    return value;
  }
  const path = found.path.startsWith('~/') ? join(env['HOME'] ?? '/', found.path.slice(2)) : found.path;
  const value = (await readFile(path, 'utf8').catch(() => '')).replace(/\r?\n$/, '');
  if (value === '') throw unusable('cannot be read, or is empty');
  return value;
}
