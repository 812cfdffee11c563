import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { fail } from '../../model/failure.js';
import { packageRoot } from '../home.js';
import { connect } from '../postgres/connect.js';
import { historyAddressWrong, historyRefused } from './errors.js';

/** Limit of a connection attempt. */
const CONNECT_MS = 10_000;

/** Opens the database and brings its tables up to date. Throws HISTORY_ADDRESS_WRONG, HISTORY_REFUSED. @param url `postgres://…` */
export const openDatabase = (url: string): Promise<Client> => opened(url, upgrade);

/** Opens the database for a statement that reads. Throws as above. */
export const openReader = (url: string): Promise<Client> =>
  opened(url, async (client) => void (await client.query('set search_path to slipway')));

/** Role of typed statements in a database that `slipway up` does not run. Its superuser may make it for our user. */
export const READER = 'slipway_reader';
const GRANT_READER = `do $$ begin
  grant usage on schema slipway to ${READER};
  grant select on all tables in schema slipway to ${READER};
exception when undefined_object or insufficient_privilege then null; end $$`;

async function opened(url: string, ready: (client: Client) => Promise<void>): Promise<Client> {
  if (!URL.canParse(url)) throw fail(historyAddressWrong());
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  // Without a listener, an error between two queries would end the process.
  client.on('error', () => undefined);
  try {
    await connect(client);
    await ready(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw fail(historyRefused(decodeURIComponent(new URL(url).host), (error as Error).message));
  }
}

/** Two commands may come at once: the second waits until the first has made the tables. */
const LOCK = 0x511b3a;

async function upgrade(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock(${LOCK})`);
  try {
    await client.query('create schema if not exists slipway');
    await client.query('set search_path to slipway');
    await client.query('create table if not exists version (no integer primary key)');
    const { rows } = await client.query<{ no: number }>('select no from version');
    const done = new Set(rows.map(({ no }) => no));
    for (const { no, text } of await numbered()) if (!done.has(no)) await apply(client, no, text);
    await client.query(GRANT_READER);
  } finally {
    await client.query(`select pg_advisory_unlock(${LOCK})`);
  }
}

async function apply(client: Client, no: number, text: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into version values ($1)', [no]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Files of `config/sql`, `001-outcome.sql`, in order. */
async function numbered(): Promise<readonly { readonly no: number; readonly text: string }[]> {
  const folder = join(packageRoot(), 'config', 'sql');
  const names = (await readdir(folder)).filter((name) => /^\d{3}-.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({ no: Number(name.slice(0, 3)), text: await readFile(join(folder, name), 'utf8') })),
  );
}
