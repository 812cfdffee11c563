import { DatabaseError, type Client } from 'pg';
import type { Store } from '../../activities/ports.js';
import { Outcome as Schema } from '../../model/schema/outcome.js';
import { INSERT, parametersOf, type Row } from './columns.js';

/** Records read at once, and rows of one statement. */
const AT_ONCE = 64;
const BATCH = 1_000;
const PREFIX = 'outcomes/';

export interface Fed {
  readonly rows: number;
  /** Records that are no outcomes. They stay in the store. */
  readonly unread: number;
}

/** Inserts the outcomes that the database does not have. Two feeds at once insert each row once. */
export async function feed(client: Client, store: Pick<Store, 'list' | 'read'>): Promise<Fed> {
  const { rows: known } = await client.query<{ name: string }>('select name from outcome');
  const have = new Set(known.map(({ name }) => name));
  const names = (await store.list(PREFIX)).filter((name) => !have.has(name));
  let rows = 0;
  let read: readonly Row[] = [];
  // The database inserts a batch while the next one is read.
  for (let at = 0; at < names.length; at += BATCH) {
    const [inserted, next] = await Promise.all([insert(client, read), rowsOf(names.slice(at, at + BATCH), store)]);
    rows += inserted;
    read = next;
  }
  rows += await insert(client, read);
  return { rows, unread: names.length - rows };
}

async function rowsOf(names: readonly string[], store: Pick<Store, 'read'>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE)
    rows.push(...(await Promise.all(names.slice(at, at + AT_ONCE).map((name) => rowOf(name, store)))).flat());
  return rows;
}

async function rowOf(name: string, store: Pick<Store, 'read'>): Promise<readonly Row[]> {
  const { data } = Schema.safeParse(await store.read(name).catch(() => null));
  return data === undefined ? [] : [{ ...data, name, test: nameOf(name) }];
}

/** `outcomes/<pipeline>/<run>/<test>/<repeat>-<attempt>`. */
const nameOf = (record: string): string => record.split('/')[3] ?? '';

/** One statement for all; where PostgreSQL refuses a row, one for each. Returns the number of rows. */
async function insert(client: Client, rows: readonly Row[]): Promise<number> {
  if (rows.length === 0) return 0;
  try {
    return (await client.query(INSERT, [...parametersOf(rows)])).rowCount ?? 0;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    if (rows.length === 1) return 0;
    const half = Math.ceil(rows.length / 2);
    return (await insert(client, rows.slice(0, half))) + (await insert(client, rows.slice(half)));
  }
}
