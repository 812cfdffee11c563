import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../model/failure.js';
import { postgresOlder } from './errors.js';
import { secretsFolder } from './folders.js';

/** Logins of the database that `slipway up` runs. Neither is a superuser; the second one only reads. */
export const POSTGRES_USERS = ['slipway', 'slipway_reader'] as const;
type User = (typeof POSTGRES_USERS)[number];

const FILES = { slipway: 'postgres', slipway_reader: 'postgres-reader' };
export const passwordFile = (home: string, user: User): string => join(secretsFolder(home), FILES[user]);
export const postgresPassword = (home: string, user: User = 'slipway'): string =>
  readFileSync(passwordFile(home, user), 'utf8').trim();

/** `postgres://…` with a password of this home. Throws POSTGRES_OLDER. @param folder of the server's socket */
export function databaseUrl(home: string, folder: string, user: User = 'slipway'): string {
  if (!existsSync(passwordFile(home, user))) throw fail(postgresOlder(passwordFile(home, user)));
  return `postgres://${user}:${postgresPassword(home, user)}@${encodeURIComponent(folder)}/postgres`;
}
