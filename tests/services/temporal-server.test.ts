/** @needs openssl */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/adapters/home.js';
import { DYNAMIC_CONFIG, LOST_TASK } from '../../src/services/catalog/temporal.js';
import { newHome } from '../support/run-body.js';

const MAIN = join(packageRoot(), 'tools', 'temporal-server', 'main.mjs');

/** Under the usual umask. */
async function written(...options: readonly string[]) {
  const folder = join(await newHome(), 'server');
  const line = ['-c', 'umask 022; exec "$@"', 'sh', process.execPath, MAIN, folder, ...options];
  const { status } = spawnSync('sh', line, { env: { ...process.env, PGPASSWORD: 'the-password' } });
  return { folder, status };
}

test('given a password of PostgreSQL, then no other user of this machine can read the settings of the server', async () => {
  const { folder } = await written('--postgres', '127.0.0.1:5432');
  const file = join(folder, 'server.yaml');
  expect(readFileSync(file, 'utf8')).toContain('the-password');
  expect([folder, file].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['700', '600']);
});

test.each([
  [['--port', '40000', '--postgres', '127.0.0.1:5432']],
  [['--port', '']],
  [['--port', '0']],
  [['--port', '65536']],
  [['--port', '7e3']],
])('given %j, then it writes nothing', async (options) => {
  const { folder, status } = await written(...options);
  expect([status, existsSync(folder)]).toEqual([2, false]);
});

test('given config/temporal/dynamic-config.yaml, then its values are those of `slipway up`', () => {
  const file = readFileSync(join(packageRoot(), 'config', 'temporal', 'dynamic-config.yaml'), 'utf8');
  const rows = Object.entries(parse(file) as Record<string, readonly [{ readonly value: unknown }]>);
  const values = Object.fromEntries(rows.map(([key, [{ value }]]) => [key, value]));
  const ours = Object.entries(DYNAMIC_CONFIG).map(([key, value]) => [key, parse(String(value)) as unknown]);
  expect(Object.fromEntries(ours)).toMatchObject(values);
  expect(Object.keys(values)).toEqual(expect.arrayContaining(Object.keys(LOST_TASK)));
});
