import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretsFolder } from './folders.js';

/** Logins of the database that `slipway up` runs. Neither is a superuser; the second one only reads. */
export const POSTGRES_USERS = ['slipway', 'slipway_reader'] as const;
type User = (typeof POSTGRES_USERS)[number];

const FILES = { slipway: 'postgres', slipway_reader: 'postgres-reader' };
export const passwordFile = (home: string, user: User): string => join(secretsFolder(home), FILES[user]);
export const postgresPassword = (home: string, user: User = 'slipway'): string =>
  readFileSync(passwordFile(home, user), 'utf8').trim();

/** `postgres://…` with a password of this home. @param folder of the server's socket */
export const databaseUrl = (home: string, folder: string, user: User = 'slipway'): string =>
  `postgres://${user}:${postgresPassword(home, user)}@${encodeURIComponent(folder)}/postgres`;
