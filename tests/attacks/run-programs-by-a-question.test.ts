/** @needs services postgres */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type History, openHistory } from '../../src/adapters/history/index.js';
import { openStore } from '../../src/adapters/store/open.js';
import { ownPostgres } from '../services/own-postgres.js';
import { newHome } from '../support/run-body.js';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** `slipway history --sql` with statements from a stranger. */
describe('[D6] a statement of `history --sql` leaves the table', () => {
  const postgres = ownPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-mark-'));
  let open: History;

  // The server writes there, if it is told to.
  beforeAll(() => chmodSync(folder, 0o777));

  beforeEach(async () => {
    const { services } = postgres;
    const store = await openStore({}, await newHome());
    open = await openHistory(services.database(), store, services.database('slipway_reader'));
  });
  afterEach(() => open.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  const refused = (sql: string): Promise<string> =>
    open.ask(sql).then(
      ({ rows }) => `carried out: ${JSON.stringify(rows)}`,
      (error: Error) => error.message,
    );

  test.each([
    [
      'a program, after `reset role` in a block',
      (mark: string) => `do $$ begin reset role; copy (select 1) to program 'touch ${mark}'; end $$`,
    ],
    ['a program', (mark: string) => `copy (select 1) to program 'touch ${mark}'`],
    ['a file that the server writes', (mark: string) => `copy (select 1) to '${mark}'`],
  ])('given %s, then it is refused and no file is there', async (_, sql) => {
    const mark = join(folder, 'mark');
    expect(await refused(sql(mark))).toMatch(/^HISTORY_STATEMENT_REFUSED: .*(permission denied|must be superuser)/);
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });

  const asSuperuser = (text: string): string =>
    `with a as materialized (select set_config('role', 'none', true)) select query_to_xml('${text}', true, false, '') from a`;
  test.each([
    ['a file, by query_to_xml after the role was reset', asSuperuser(`select pg_read_file(''PG_VERSION'')`)],
    ['a file', `select pg_read_file('PG_VERSION')`],
    ['a folder', `select pg_ls_dir('.')`],
    ['a large object', `select lo_from_bytea(0, 'abc')`],
    ['passwords', 'select rolpassword from pg_authid'],
    ['a block', 'do $$ begin perform 1; end $$'],
    ['another user', 'set session authorization slipway'],
    ['the role that writes', 'set role slipway'],
    ['a table of its own', 'create temporary table own as select 1'],
    ['a function', `create function own() returns int language sql as 'select 1'`],
    ['an extension', 'create extension dblink'],
    ['the lock of the tables', 'select pg_advisory_lock(5323578)'],
    [
      'a change, after the transaction was made writable',
      `with a as materialized (select set_config('transaction_read_only', 'off', true)) delete from outcome using a`,
    ],
  ])('given %s, then it is refused', async (_, sql) => {
    expect(await refused(sql)).toMatch(/^HISTORY_STATEMENT_REFUSED: /);
  });

  test('given a statement that waits, then its time is limited, and other settings cannot lift that', async () => {
    const { rows } = await open.ask(
      `select current_setting('statement_timeout'), rolsuper from pg_roles where rolname = current_user`,
    );
    expect(rows).toEqual([['30s', false]]);
  });

  test('when the server runs, then its user `slipway` is no superuser, and the superuser cannot log in', async () => {
    const client = new Client(postgres.services.database()!);
    await client.connect();
    const { rows } = await client.query('select rolname, rolsuper from pg_roles where rolcanlogin order by 1');
    expect(rows).toEqual([
      { rolname: 'postgres', rolsuper: true },
      { rolname: 'slipway', rolsuper: false },
      { rolname: 'slipway_reader', rolsuper: false },
    ]);
    expect((await client.query('show listen_addresses')).rows).toEqual([{ listen_addresses: '' }]);
    await client.end();
    const url = new URL(postgres.services.database()!);
    url.username = 'postgres';
    await expect(new Client(url.href).connect()).rejects.toThrow(/no pg_hba.conf entry/);
  });

  test('given twenty half-open connections, then a question is answered', async () => {
    const path = join(postgres.services.address('postgres')!, '.s.PGSQL.5432');
    const half = await Promise.all(
      Array.from(
        { length: 20 },
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(path, () => resolve(socket));
          }),
      ),
    );
    expect((await open.ask('select 1 as one')).rows).toEqual([[1]]);
    for (const socket of half) socket.destroy();
  });

  (isRoot ? test : test.skip)('when another user of the machine connects, then the system refuses', () => {
    const address = postgres.services.address('postgres')!;
    const script = `import socket, sys
try:
    socket.socket(socket.AF_UNIX).connect(sys.argv[1] + "/.s.PGSQL.5432")
    print("reached")
except OSError as error:
    print(error.strerror)`;
    const asNobody = { uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8' } as const;
    expect(spawnSync('python3', ['-c', script, address], asNobody).stdout).toBe('Permission denied\n');
  });
});
