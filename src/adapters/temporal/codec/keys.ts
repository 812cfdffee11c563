import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../model/failure.js';
import { secretName, secretReference, type SecretReference } from '../../../model/secret.js';
import { CODEC_SETTING, codecKeyMalformed, codecKeysUnreadable, codecNotNamed } from './errors.js';

/** AES-256. */
const KEY_BYTES = 32;
const ID = /^[A-Za-z0-9._-]{1,64}$/;
const COMMAND_LIMIT_MS = 60_000;

export interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}
type Env = Readonly<Record<string, string | undefined>>;

/** Returns the configured keys; the first one encrypts. Empty if the setting is unset. Throws CODEC_…. */
export async function readKeys(env: Env): Promise<readonly Key[]> {
  const said = env[CODEC_SETTING]?.trim();
  if (!said) return [];
  const reference = secretReference(said);
  if (reference === null) throw fail(codecNotNamed());
  const name = secretName(said);
  const keys = parsed(await lookUp(reference, name, env), name);
  if (keys.length === 0) throw fail(codecKeysUnreadable(name, 'it holds no key'));
  return keys;
}

/** Returns a new line for the top of the key file. */
export const newKeyLine = (id: string): string => `${id} ${randomBytes(KEY_BYTES).toString('base64')}`;

function parsed(text: string, name: string): readonly Key[] {
  const keys: Key[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const refuse = (why: string) => fail(codecKeyMalformed(name, index + 1, why));
    const [id = '', base64 = '', ...more] = line.trim().split(/\s+/);
    const bytes = Buffer.from(base64, 'base64');
    if (!ID.test(id)) throw refuse('begins with no id of letters, digits, ".", "_" and "-"');
    if (more.length > 0 || bytes.length !== KEY_BYTES) throw refuse(`holds no key of ${KEY_BYTES} bytes in base64`);
    if (keys.some((key) => key.id === id)) throw refuse(`names ${id} a second time`);
    keys.push({ id, bytes });
  }
  return keys;
}

async function lookUp(found: SecretReference, name: string, env: Env): Promise<string> {
  const missing = (why: string) => fail(codecKeysUnreadable(name, why));
  if (found.by === 'environment') {
    const value = env[found.name];
    if (!value) throw missing('that variable is not set');
    return value;
  }
  if (found.by === 'command') return output(found.line, env).catch((why: string) => Promise.reject(missing(why)));
  const path = found.path.startsWith('~/') ? join(env['HOME'] ?? '/', found.path.slice(2)) : found.path;
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw missing(error.code ?? 'it cannot be read');
  });
}

/** Rejects with a reason that contains none of the command's output. */
const output = (line: string, env: Env): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile('sh', ['-eu', '-c', line], { env: { ...env }, timeout: COMMAND_LIMIT_MS }, (error, stdout) => {
      if (error === null) resolve(stdout);
      // oxlint-disable-next-line prefer-promise-reject-errors -- it becomes a coded failure above
      else reject(error.killed ? 'it did not end' : `it ended with status ${String(error.code)}`);
    });
  });
