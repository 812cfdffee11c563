import { spawnSync } from 'node:child_process';
import fs, { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeWorkspace, sweepWorkspaces } from '../../src/activities/step/workspace.js';
import { createInterpreters } from '../../src/adapters/python/index.js';
import { packageRoot } from '../../src/adapters/home.js';
import { KINDS } from '../../src/model/kinds.js';
import { readIdentity } from '../../src/model/worker.js';
import { createBodies } from '../../src/workers/bodies.js';
import { readArguments, roleOf, whoAmI } from '../../src/workers/options.js';
import { createReadyFile } from '../../src/workers/ready.js';
import { serviceAddress } from '../../src/workers/addresses.js';
import { newHome, realSurroundings } from '../support/run-body.js';

test.each([
  [['--queue', 'linux-x86_64'], 'linux-x86_64'],
  [['--workflows'], 'workflows'],
  [['--workflows', '--kept'], 'workflows'],
  [['--queue', 'gpu', '--kept'], 'gpu'],
  [['--queue'], null],
  [['--queue', 'a', 'b'], null],
  [[], null],
])('arguments %j name the worker %s', (argv, name) => {
  const read = readArguments(argv);
  expect(read && roleOf(read)).toBe(name);
});

test('a worker has the same name each time it starts from one home, and another identity', () => {
  const start = { host: 'My Mac', home: '/here', pid: 5, nowMs: 1000 };
  const [one, two] = [whoAmI('gpu', start), whoAmI('gpu', { ...start, pid: 6, nowMs: 2000 })];
  expect(one.worker).toBe(two.worker);
  expect(one.worker).toMatch(/^gpu@My-Mac-[0-9a-f]{6}$/);
  expect(one.identity).not.toBe(two.identity);
  expect(readIdentity(one.identity)).toEqual({ worker: one.worker, instance: one.instance });
  expect(whoAmI('gpu', { ...start, home: '/there' }).worker).not.toBe(one.worker);
  expect(whoAmI('gpu', { ...start, said: 'bench-1' }).worker).toBe('gpu@bench-1');
});

test('workers know a body for every kind, and nothing else', async () => {
  const bodies = createBodies(realSurroundings(await newHome()), { interpreters: createInterpreters() });
  expect(Object.keys(bodies).sort()).toEqual(Object.keys(KINDS).sort());
});

test('the ready file names the process while it polls', async () => {
  const home = await newHome();
  const ready = createReadyFile(home, 'control');
  ready.write();
  const path = join(home, 'workers', 'control.ready');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ pid: process.pid });
  ready.remove();
  expect(existsSync(path)).toBe(false);
});

test('an address is read anew each time: services move', async () => {
  const home = await newHome();
  expect(serviceAddress(home, 'index')).toBeNull();
  for (const address of ['one', 'two']) {
    await writeFile(join(home, 'services.json'), JSON.stringify({ services: { index: { address } } }));
    expect(serviceAddress(home, 'index')).toBe(address);
  }
});

test('folders of attempts whose worker is gone are removed, those of living ones stay', async () => {
  const home = await newHome();
  const mine = await makeWorkspace(home, 'run-0001', 'mine-1');
  const dead = await makeWorkspace(home, 'run-0001', 'dead-1');
  await writeFile(join(dead.folder, '..', 'owner'), '999999999');
  await mkdir(join(dead.folder, 'locked'), { mode: 0o500 });
  expect(await sweepWorkspaces(home, (pid) => pid === process.pid)).toBe(1);
  expect([existsSync(mine.folder), existsSync(dead.folder)]).toEqual([true, false]);
});

test('given a worker that dies while it removes a folder, the owner file is there until all else is gone', async () => {
  const { folder, remove } = await makeWorkspace(await newHome(), 'run-0001', 'mine-1');
  for (const name of ['a', 'z']) await writeFile(join(folder, '..', name), '');
  const removed = jest.spyOn(fs, 'unlinkSync');
  await remove();
  expect(removed.mock.calls.map(([path]) => basename(String(path)))).toEqual(['a', 'z', 'owner']);
  removed.mockRestore();
});

test('a worker without a server ends with status 1 and says which address did not answer', async () => {
  const env = { ...process.env, SLIPWAY_HOME: await newHome(), TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const main = join(packageRoot(), 'dist', 'workers', 'main.js');
  const ended = spawnSync(process.execPath, [main, '--queue', 'control'], { env, encoding: 'utf8' });
  expect(ended.status).toBe(1);
  expect(ended.stderr).toContain('127.0.0.1:1');
});
