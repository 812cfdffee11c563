import { isAbsolute, join } from 'node:path';
import { fail, type Problem } from '../../model/failure.js';
import { secretReference } from '../../model/secret.js';
import type { Target } from '../../model/target.js';
import { WHEELS_FOLDER } from '../home.js';
import { credentialAbsent, credentialHalf, credentialNoVariable } from './errors.js';
import { openFolder } from './folder.js';
import type { Place } from './place.js';

export interface Here {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Opens the index of a target outside of a step: for planning, or for a person at a terminal. Credentials of a bucket
 * come from variables of the environment alone. The bucket's client takes 0.2 s to load, so a folder is opened without it. */
export async function openHere(target: Target, { env, home }: Here): Promise<Place> {
  const { name, kind, address, extra = null } = target;
  if (address.startsWith('service:')) return openFolder(name, join(home, WHEELS_FOLDER));
  if (isAbsolute(address)) return openFolder(name, address);
  const { openPlace } = await import('./open-place.js');
  const credentials = credentialsOf(target, env);
  const rest = { repository: null, staging: null, secrets: {}, version: '' };
  return openPlace({ name, kind, address, extra, ...credentials, ...rest }, {}, null);
}

const KEYS = ['username', 'password'] as const;

/** Throws every problem at once. Without credentials in the profile, those of AWS's own variables and files are used. */
function credentialsOf(target: Target, env: Here['env']): Pick<Target, (typeof KEYS)[number]> {
  const said = KEYS.filter((key) => target[key] !== null);
  if (said.length === 1) throw fail(credentialHalf(target.name, said[0]!));
  const found: Problem[] = [];
  const [username = null, password = null] = said.map((key) => valueOf(target, key, env, found));
  if (found.length > 0) throw fail(found);
  return { username, password };
}

function valueOf(target: Target, key: (typeof KEYS)[number], env: Here['env'], found: Problem[]): string | null {
  const text = target[key]!;
  const reference = secretReference(text);
  if (reference === null) return text;
  if (reference.by !== 'environment') {
    found.push(credentialNoVariable(target.name, key, text));
    return null;
  }
  const value = env[reference.name];
  if (!value) found.push(credentialAbsent(target.name, key, text));
  return value ?? null;
}
