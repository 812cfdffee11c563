import type { QueryArrayConfig } from 'pg';
import type { Store } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { openDatabase, READER_ROLE } from './database.js';
import { noDatabase, statementRefused } from './errors.js';
import { feed, type Fed } from './feed.js';

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}
/** Questions about many runs. The store is the truth; the database is made from it. */
export interface History {
  /** Inserts what the store has since, then carries out one statement that reads, 30 s at most.
   * Throws HISTORY_STATEMENT_REFUSED. */
  ask(sql: string): Promise<Answer>;
  /** Drops all rows and makes them from the store. */
  rebuild(): Promise<Fed & { readonly digest: string }>;
  close(): Promise<void>;
}

/** Opens the database. Throws HISTORY_NO_DATABASE, HISTORY_REFUSED.
 * @param url `postgres://…`. Null: there is none */
export async function openHistory(url: string | null, store: Store): Promise<History> {
  if (url === null) throw fail(noDatabase());
  const client = await openDatabase(url);
  return {
    async ask(sql) {
      await feed(client, store);
      await client.query('begin read only');
      try {
        await client.query(`set local statement_timeout to '30s'`);
        const { rowCount } = await client.query('select from pg_roles where rolname = $1', [READER_ROLE]);
        if (rowCount === 1) await client.query(`set local role ${READER_ROLE}`);
        const { fields, rows } = await client.query<unknown[]>(extended(sql));
        return { columns: fields.map(({ name }) => name), rows };
      } catch (error) {
        throw fail(statementRefused((error as Error).message));
      } finally {
        await client.query('rollback');
      }
    },
    async rebuild() {
      await client.query('truncate outcome');
      const fed = await feed(client, store);
      const { rows } = await client.query<{ digest: string }>(DIGEST);
      return { ...fed, digest: rows[0]!.digest };
    },
    close: () => client.end(),
  };
}

/** PostgreSQL refuses a second statement behind a semicolon in its extended protocol. */
const extended = (text: string): QueryArrayConfig => ({ text, rowMode: 'array', ...{ queryMode: 'extended' } });

/** The same rows have the same digest, in whatever order they came. */
const DIGEST = `select 'sha256:' || encode(sha256(convert_to(coalesce(string_agg(md5(outcome::text), '' order by name), ''), 'UTF8')), 'hex') as digest
from outcome`;
