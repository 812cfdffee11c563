import type { Stats } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fail } from '../../model/failure.js';
import { Policy } from '../../model/schema/policy.js';
import { MAX_FILE_BYTES } from '../../plan/read/limits.js';
import { readChecked } from '../../plan/read/release-file.js';
import type { PolicyFile } from '../../plan/policy/judge.js';
import { otherWriter } from '../facts/ownership.js';
import { policyUnreadable, policyUnsafe } from './errors.js';

type Env = Readonly<Record<string, string | undefined>>;

export const policyPath = (env: Env, home: string): string =>
  resolve(env['SLIPWAY_POLICY'] || join(home, 'policy.yaml'));

/** Returns the policy. Null if the default file is absent and SLIPWAY_POLICY is unset. Throws POLICY_UNSAFE if
 * others could have written it. */
export async function readPolicy(env: Env, home: string): Promise<PolicyFile | null> {
  const path = policyPath(env, home);
  await using file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && !env['SLIPWAY_POLICY']) return null;
    throw fail(policyUnreadable(path, error.code ?? error.message), error);
  });
  if (file === null) return null;
  return readChecked(await soundText(file, path), path, Policy);
}

/** Checks and reads through one handle, so that no other file can take its place meanwhile. */
async function soundText(file: FileHandle, path: string): Promise<string> {
  const found = await file.stat();
  if (!found.isFile()) throw fail(policyUnreadable(path, 'it is no file'));
  if (found.size > MAX_FILE_BYTES) throw fail(policyUnreadable(path, `it has ${found.size} bytes`));
  const why = othersMay(found, path) ?? (await aboveIsUnsafe(await realpath(path)));
  if (why !== null) throw fail(policyUnsafe(path, why));
  return file.readFile('utf8');
}

/** A user who may write a folder may replace files in it. */
async function aboveIsUnsafe(path: string): Promise<string | null> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const why = othersMay(await stat(folder), folder);
    if (why !== null || folder === dirname(folder)) return why;
  }
}

function othersMay(found: Stats, path: string): string | null {
  const { uid, gid, mode } = found;
  const writer = otherWriter({ uid, gid, mode, isFolder: found.isDirectory() }, process.getuid?.() ?? uid);
  if (writer === 'owner') return `${path} belongs to user ${uid}`;
  return writer === 'others' ? `${path} is writable by others` : null;
}
