/** @needs services postgres */
import { Client } from 'pg';
import { createTables } from '../../../src/adapters/postgres/tables.js';
import type { SlipwayFailure } from '../../../src/model/failure.js';
import { databaseUrl, postgresPassword } from '../../../src/services/database-url.js';
import { ownPostgres } from '../../services/own-postgres.js';

const tables = createTables();

const postgres = ownPostgres();

const url = (password = postgresPassword(postgres.home)): string =>
  databaseUrl(postgres.home, postgres.services.address('postgres')!).replace(postgresPassword(postgres.home), password);
const into = (table: string, at = url()) => ({
  ...{ name: 'reports.table', url: at, table, signal: new AbortController().signal },
});
const rows = (...keys: readonly string[]) => keys.map((key) => ({ key, row: { run: 'run-1', name: `it's "${key}"` } }));

async function ask(text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client(url());
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

test('given rows, then a table is made, and each key is added once', async () => {
  expect(await tables.add(into('results'), rows('a', 'b'))).toBe(2);
  expect(await tables.add(into('results'), rows('a', 'b', 'c'))).toBe(1);
  expect(await ask(`select key, run, row->>'name' as name from results order by key`)).toEqual(
    ['a', 'b', 'c'].map((key) => ({ key, run: 'run-1', name: `it's "${key}"` })),
  );
});

test('given two reports at once, then each row is there once', async () => {
  const keys = Array.from({ length: 450 }, (_, no) => `${no}`);
  const added = await Promise.all([1, 2].map(() => tables.add(into('twice'), rows(...keys))));
  expect(added[0]! + added[1]!).toBe(450);
});

test.each([
  ['a wrong password', () => into('results', url('wrong')), 'POSTGRES_DENIED', 'denied'],
  ['no server', () => into('results', 'postgres://slipway:x@127.0.0.1:1/postgres'), 'POSTGRES_UNREACHABLE', 'infra'],
  ['no address', () => into('results', 'not an address'), 'POSTGRES_ADDRESS_WRONG', 'config'],
  ['a table of another shape', () => into('pg_catalog.pg_class'), 'POSTGRES_REFUSED', 'config'],
])('given %s, then the report fails as that', async (_what, to, code, kind) => {
  const error = await tables.add(to(), rows('a')).then(() => null, (failure: SlipwayFailure) => failure); // prettier-ignore
  expect(error!.first).toMatchObject({ code, class: kind });
  expect(JSON.stringify(error!.problems)).not.toContain(postgresPassword(postgres.home));
});
