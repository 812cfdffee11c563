import { join } from 'node:path';
import { secretReference } from '../../model/secret.js';
import type { Target } from '../../model/target.js';
import { WHEELS_FOLDER } from '../home.js';
import { openFolder } from './folder.js';
import { openPlace } from './open-place.js';
import type { Place } from './place.js';

interface Here {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Opens the index of a target outside of a step: for planning, or for a person at a terminal. Credentials of a bucket
 * come from variables of the environment alone. */
export function openHere(target: Target, { env, home }: Here): Place {
  const { name, kind, address, extra = null } = target;
  if (address.startsWith('service:')) return openFolder(name, join(home, WHEELS_FOLDER));
  const valueOf = (text: string | null): string | null => {
    const reference = text === null ? null : secretReference(text);
    if (reference === null) return text;
    return reference.by === 'environment' ? (env[reference.name] ?? null) : null;
  };
  const credentials = { username: valueOf(target.username), password: valueOf(target.password) };
  const rest = { repository: null, staging: null, secrets: {}, version: '' };
  return openPlace({ name, kind, address, extra, ...credentials, ...rest }, {}, null);
}
