import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { fail } from '../../model/failure.js';
import { packageRoot } from '../home.js';
import { historyAddressWrong, historyRefused } from './errors.js';

/** Limit of a connection attempt. */
const CONNECT_MS = 10_000;

/** Opens the database and brings its tables up to date. Throws HISTORY_ADDRESS_WRONG, HISTORY_REFUSED. @param url `postgres://…` */
export async function openDatabase(url: string): Promise<Client> {
  if (!URL.canParse(url)) throw fail(historyAddressWrong());
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  // Without a listener, an error between two queries would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await upgrade(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw fail(historyRefused(new URL(url).host, (error as Error).message));
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
    await client.query(READER);
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

/** Role of typed statements. It reads our tables, and nothing else of the server. */
export const READER_ROLE = 'slipway_reader';
const READER = `do $$ begin
  if not exists (select from pg_roles where rolname = '${READER_ROLE}') then create role ${READER_ROLE} nologin; end if;
exception when insufficient_privilege then null; end $$;
do $$ begin
  grant usage on schema slipway to ${READER_ROLE};
  grant select on all tables in schema slipway to ${READER_ROLE};
exception when undefined_object or insufficient_privilege then null; end $$`;
