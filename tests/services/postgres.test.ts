/** @needs services postgres */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openHistory } from '../../src/adapters/history/index.js';
import { openStore } from '../../src/adapters/store/open.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { databaseUrl, passwordFile, postgresPassword } from '../../src/services/database-url.js';
import { servicesFile } from '../../src/services/folders.js';
import type { ServicesState } from '../../src/services/state.js';
import { freePort } from '../support/free-port.js';
import { newHome } from '../support/run-body.js';
import { until } from '../support/until.js';
import { aHome } from './a-home.js';

const quiet = { onLine: (): void => undefined };

let made: Awaited<ReturnType<typeof aHome>>;
let services: Services;

beforeEach(async () => {
  made = await aHome();
  services = createServices(made.env, ['postgres']);
});
afterEach(async () => {
  await services.down(quiet);
  made.remove();
});

const state = () => (JSON.parse(readFileSync(servicesFile(made.home), 'utf8')) as ServicesState).services['postgres']!;

async function ask(text: string, password = postgresPassword(made.home)): Promise<unknown[]> {
  const url = new URL(databaseUrl(made.home, services.address('postgres')!));
  url.password = password;
  return rowsOf(url.href, text);
}

async function rowsOf(url: string, text: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('given a new home, when `slipway up` runs, then the database needs its password, and no process of it is root', async () => {
  await services.up(quiet);
  expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
  await expect(ask('select 1', 'wrong')).rejects.toThrow('password authentication failed');
  const { pid } = state();
  expect(readFileSync(`/proc/${pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0\b/m);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(postgresPassword(made.home));
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(postgresPassword(made.home));
  expect(statSync(join(made.home, 'postgres')).mode & 0o777).toBe(0o700);
});

test('given its processes were killed, then it restarts with committed data', async () => {
  await services.up(quiet);
  await ask('create table kept as select 7 as seven');
  const { pid } = state();
  process.kill(-pid, 'SIGKILL');
  await until(async () => (await ask('select seven from kept').catch(() => [])).length === 1);
  expect(await ask('select seven from kept')).toEqual([{ seven: 7 }]);
});

test('given a home whose path is too long for a socket, then the database answers', async () => {
  const home = join(made.home, 'x'.repeat(100));
  mkdirSync(home, { mode: 0o700 });
  const long = createServices({ ...made.env, SLIPWAY_HOME: home }, ['postgres']);
  try {
    await long.up(quiet);
    const store = await openStore({}, await newHome());
    const open = await openHistory(long.database(), store, long.database('slipway_reader'));
    expect((await open.ask('select count(*)::int from outcome')).rows).toEqual([[0]]);
    await open.close();
  } finally {
    await long.down(quiet);
  }
});

const BIN = '/usr/lib/postgresql/15/bin';
const asPostgres =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : ['env'];

/** Starts a database as an older `slipway up` made it: `slipway` is its superuser, and it listens on a port. */
async function formerDatabase(folder: string) {
  const [program, ...first] = asPostgres;
  const password = join(folder, 'password');
  writeFileSync(password, 'former');
  if (program === 'setpriv') spawnSync('chown', ['-R', 'postgres:postgres', folder]);
  const data = join(folder, '15');
  const options = ['--auth=scram-sha-256', '--locale=C.UTF-8', '--encoding=UTF8', '--username=slipway'];
  const made = spawnSync(program!, [...first, `${BIN}/initdb`, '-D', data, `--pwfile=${password}`, ...options]);
  expect(made.status).toBe(0);
  rmSync(password);
  const port = await freePort();
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const server = spawn(program!, [...first, `${BIN}/postgres`, '-D', data, '-p', `${port}`, ...settings]);
  return {
    url: `postgres://slipway:former@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
    },
  };
}

test('[D6] given a database whose `slipway` is a superuser, then no typed statement is carried out; when `slipway up` runs, then it is none, and data is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-former-'));
  const former = await formerDatabase(folder);
  const store = await openStore({}, await newHome());
  try {
    await until(async () => (await rowsOf(former.url, 'select 1').catch(() => [])).length === 1);
    await rowsOf(former.url, `create table report as select 'kept' as said`);
    const open = await openHistory(former.url, store);
    await expect(open.ask('select 1')).rejects.toMatchObject({ first: { code: 'HISTORY_SUPERUSER' } });
    expect((await open.ask('select 1', 'us')).rows).toEqual([[1]]);
    await open.close();
    await rowsOf(former.url, `insert into slipway.version values (9)`);
  } finally {
    await former.stop();
  }
  mkdirSync(join(made.home, 'secrets'), { mode: 0o700 });
  writeFileSync(passwordFile(made.home, 'slipway'), 'former\n', { mode: 0o600 });
  renameSync(folder, join(made.home, 'postgres'));
  await services.up(quiet);
  expect(await ask('select said from report')).toEqual([{ said: 'kept' }]);
  expect(await ask('select no from slipway.version order by 1 desc limit 1')).toEqual([{ no: 9 }]);
  expect(await ask('select rolname from pg_roles where rolsuper')).toEqual([{ rolname: 'postgres' }]);
  const open = await openHistory(services.database(), store, services.database('slipway_reader'));
  expect((await open.ask('select count(*)::int from outcome')).rows).toEqual([[0]]);
  await expect(open.ask('select * from public.report')).rejects.toThrow(/permission denied/);
  await open.close();
  await ask('drop table report');
  expect(services.address('postgres')).toBe(join(made.home, 'postgres'));
});

test('given a home whose database an older version set up, when its address is asked for, then the problem says to type `slipway up`', async () => {
  const home = await newHome();
  expect(() => databaseUrl(home, '/tmp', 'slipway_reader')).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({ code: 'POSTGRES_OLDER', next: expect.stringContaining('slipway up') as string }),
      ],
    }),
  );
});

test('given another PostgreSQL, set up by the lines of the docs, then a statement reads our tables and no others of its user', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-outside-'));
  const outside = await formerDatabase(folder);
  try {
    await until(async () => (await rowsOf(outside.url, 'select 1').catch(() => [])).length === 1);
    await rowsOf(
      outside.url,
      `create role us login password 'ours'; create role slipway_reader; grant slipway_reader to us;
      create schema slipway authorization us; grant create on database postgres to us; create table public.report as select 7 as seven; alter table report owner to us`,
    );
    const url = outside.url.replace('slipway:former', 'us:ours');
    const open = await openHistory(url, await openStore({}, await newHome()));
    expect((await open.ask('select count(*)::int, current_user::text from outcome')).rows).toEqual([
      [0, 'slipway_reader'],
    ]);
    await expect(open.ask('select * from public.report')).rejects.toThrow(/permission denied/);
    await open.close();
  } finally {
    await outside.stop();
    rmSync(folder, { recursive: true });
  }
});
