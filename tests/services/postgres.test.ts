/** @needs services postgres */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createServices, type Services } from '../../src/services/create-services.js';
import { databaseUrl, postgresPassword } from '../../src/services/database-url.js';
import { servicesFile } from '../../src/services/folders.js';
import type { ServicesState } from '../../src/services/state.js';
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
  const client = new Client(url.href);
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
