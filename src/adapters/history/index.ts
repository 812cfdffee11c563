import type { QueryArrayConfig } from 'pg';
import type { Store } from '../../activities/ports.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { openDatabase, openReader, READER } from './database.js';
import { noDatabase, statementBySuperuser, statementRefused } from './errors.js';
import { feed, type Fed } from './feed.js';

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}
/** Questions about many runs. The store is the truth; the database is made from it. */
export interface History {
  /** Inserts what the store has since, then carries out one statement that reads, 30 s at most.
   * Throws HISTORY_STATEMENT_REFUSED, and HISTORY_SUPERUSER for a statement that is not ours. */
  ask(sql: string, by?: 'us'): Promise<Answer>;
  /** Drops all rows and makes them from the store. */
  rebuild(): Promise<Fed & { readonly digest: string }>;
  close(): Promise<void>;
}

/** Opens the database. Throws HISTORY_NO_DATABASE, HISTORY_REFUSED.
 * @param url `postgres://…`. Null: there is none
 * @param reader the same database for a user who only reads. Default: the same user */
export async function openHistory(url: string | null, store: Store, reader = url): Promise<History> {
  if (url === null) throw fail(noDatabase());
  const client = await openDatabase(url);
  return {
    async ask(sql, by) {
      await feed(client, store);
      const reading = await openReader(reader ?? url);
      try {
        const { rows: found } = await reading.query<{ user: string }>(MAY_RUN_PROGRAMS);
        if (found[0] !== undefined && by !== 'us') throw fail(statementBySuperuser(found[0].user));
        await reading.query('begin read only');
        await reading.query(`set local statement_timeout to '30s'`);
        if ((await reading.query(IS_READER)).rowCount === 1) await reading.query(`set local role ${READER}`);
        const { fields, rows } = await reading.query<unknown[]>(extended(sql));
        return { columns: fields.map(({ name }) => name), rows };
      } catch (error) {
        throw error instanceof SlipwayFailure ? error : fail(statementRefused((error as Error).message));
      } finally {
        await reading.end();
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

/** No setting of a session keeps a superuser from files and programs of its server: each can be set back. */
const MAY_RUN_PROGRAMS = `select distinct current_user as user from pg_roles where pg_has_role(oid, 'member')
and (rolsuper or rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'))`;

const IS_READER = `select from pg_roles where rolname = '${READER}' and pg_has_role(oid, 'member')`;

/** PostgreSQL refuses a second statement behind a semicolon in its extended protocol. */
const extended = (text: string): QueryArrayConfig => ({ text, rowMode: 'array', ...{ queryMode: 'extended' } });

/** The same rows have the same digest, in whatever order they came. */
const DIGEST = `select 'sha256:' || encode(sha256(convert_to(coalesce(string_agg(md5(outcome::text), '' order by name), ''), 'UTF8')), 'hex') as digest
from outcome`;
