import { Client, DatabaseError, escapeIdentifier } from 'pg';
import type { TableAddress, TableRow, Tables } from '../../activities/reports/ports.js';
import { fail, type Problem, SlipwayFailure } from '../../model/failure.js';
import { reasonOf } from '../http/request.js';
import { connect, judgedSocket } from './connect.js';
import { jsonText } from './json-text.js';
import { addressWrong, databaseDenied, databaseRefused, databaseUnreachable } from './errors.js';

const PATIENCE_MS = 30_000;
/** Rows of one statement. */
const AT_ONCE = 200;

export const createTables = (): Tables => ({ add });

async function add(into: TableAddress, rows: readonly TableRow[]): Promise<number> {
  // The client would take another server from the query than the one that was judged.
  const isServer = /^postgres(ql)?:\/\/[^/?#]+\/[^?#]/.test(into.url) && URL.canParse(into.url);
  if (!isServer || ['host', 'port'].some((key) => new URL(into.url).searchParams.has(key)))
    throw fail(addressWrong(into.name));
  const client = new Client({
    connectionString: into.url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: 'slipway',
    stream: () => judgedSocket(into.name),
  });
  // Without a listener, an error between two queries would end the process.
  client.on('error', () => undefined);
  const stop = (): void => void client.end().catch(() => undefined);
  into.signal.addEventListener('abort', stop, { once: true });
  try {
    await connect(client);
    return await inOne(client, into.table, rows);
  } catch (error) {
    into.signal.throwIfAborted();
    throw error instanceof SlipwayFailure ? error : fail(problemOf(error, into), error);
  } finally {
    into.signal.removeEventListener('abort', stop);
    stop();
  }
}

async function inOne(client: Client, name: string, rows: readonly TableRow[]): Promise<number> {
  const table = name.split('.').map(escapeIdentifier).join('.');
  await mustHave(client, table);
  await client.query('begin');
  let added = 0;
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = jsonText(rows.slice(at, at + AT_ONCE));
    const { rowCount } = await client.query(
      `insert into ${table} (key, run, row)
       select one->>'key', one->'row'->>'run', one->'row' from jsonb_array_elements($1::jsonb) as one
       on conflict do nothing`,
      [some],
    );
    added += rowCount ?? 0;
  }
  await client.query('commit');
  return added;
}

/** Creates the table if it is absent. A user without that right may have a table that exists. */
async function mustHave(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<{ there: string | null }>('select to_regclass($1) as there', [table]);
  if (rows[0]!.there !== null) return;
  const columns =
    'key text primary key, run text not null, reported_at timestamptz not null default now(), row jsonb not null';
  await client.query(`create table if not exists ${table} (${columns})`).catch((error: unknown) => {
    // Another report creates it at this moment.
    if (!(error instanceof DatabaseError) || !['23505', '42P07'].includes(error.code ?? '')) throw error;
  });
}

/** Classes of SQLSTATE: 28 and 42501 are about rights, 08, 53, 57 and 58 about the server (postgresql.org/docs/current/errcodes-appendix). */
function problemOf(error: unknown, { name, table }: TableAddress): Problem {
  if (!(error instanceof DatabaseError)) return databaseUnreachable(name, reasonOf(error));
  const { code = '', message } = error;
  if (code.startsWith('28') || code === '42501') return databaseDenied(name, message);
  if (/^(08|40|53|55|57|58)/.test(code)) return databaseUnreachable(name, message);
  return databaseRefused(name, table, message);
}
