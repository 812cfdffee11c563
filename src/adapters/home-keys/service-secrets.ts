import { randomBytes } from 'node:crypto';
import { SECRET_OF, SERVICE_SECRETS, SERVICE_USERS } from '../../model/service-login.js';
import type { Credential, ServiceSecret } from '../../model/service-login.js';
import { appears } from './make.js';
import { readOurs, secretAt } from './open.js';

/** Makes the missing secrets of services: 256 random bits each. Throws HOME_KEYS_NOT_WRITABLE. */
export function makeServiceSecrets(folder: string): void {
  for (const which of SERVICE_SECRETS) appears(secretAt(folder, which), `${randomBytes(32).toString('hex')}\n`, 0o600);
}

/** Null if this home lacks the secret. Throws HOME_KEY_TOO_OPEN or HOME_KEY_NOT_OURS. */
export const serviceSecret = (folder: string, which: ServiceSecret): string | null =>
  readOurs(secretAt(folder, which), 0o077)?.toString('utf8').trim() ?? null;

/** Returns a lookup of credentials by service. Null: the service asks for none, or this home lacks the secret.
 * @param known secrets that the caller may use */
export const serviceLogins =
  (folder: string, known: readonly ServiceSecret[]) =>
  (service: string): Credential | null => {
    const which = SECRET_OF[service];
    const password = which !== undefined && known.includes(which) ? serviceSecret(folder, which) : null;
    return which === undefined || password === null ? null : { username: SERVICE_USERS[which], password };
  };
