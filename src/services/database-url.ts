import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretsFolder } from './folders.js';

/** Owner of the database that `slipway up` runs. */
export const POSTGRES_USER = 'slipway';

export const passwordFile = (home: string): string => join(secretsFolder(home), 'postgres');
export const postgresPassword = (home: string): string => readFileSync(passwordFile(home), 'utf8').trim();

/** `postgres://…` with the password of this home. @param address `127.0.0.1:5433` */
export const databaseUrl = (home: string, address: string): string =>
  `postgres://${POSTGRES_USER}:${postgresPassword(home)}@${address}/postgres`;
