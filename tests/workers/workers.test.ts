/** @slow */
import { spawnSync } from 'node:child_process';
import fs, { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makePrivateFolder, makeWorkspace, sweepWorkspaces } from '../../src/activities/step/workspace.js';
import { createInterpreters } from '../../src/adapters/python/interpreters.js';
import { packageRoot } from '../../src/adapters/home.js';
import { KINDS } from '../../src/model/kinds.js';
import { readIdentity } from '../../src/model/worker.js';
import { createBodies } from '../../src/workers/bodies.js';
import { readArguments, roleOf, whoAmI } from '../../src/workers/options.js';
import { createReadyFile } from '../../src/workers/ready.js';
import { serviceOf } from '../../src/adapters/service-of.js';
import { FEATURE_NODES } from '../../src/features/node.js';
import { newHome, realSurroundings } from '../support/run-body.js';

test.each([
  [['--queue', 'linux-x86_64'], 'linux-x86_64'],
  [['--workflows'], 'workflows'],
  [['--workflows', '--kept'], 'workflows'],
  [['--workflows', '--deployment', 'releases'], 'workflows'],
  [['--workflows', '--deployment'], null],
  [['--queue', 'gpu', '--deployment', 'releases'], null],
  [['--queue', 'gpu', '--kept'], 'gpu'],
  [['--queue'], null],
  [['--queue', 'a', 'b'], null],
  [[], null],
])('given the arguments %j, then the role is %s', (argv, name) => {
  const read = readArguments(argv);
  expect(read && roleOf(read)).toBe(name);
});

test('given one home, when a worker restarts, then its name is the same and its identity differs', () => {
  const start = { host: 'My Mac', home: '/here', pid: 5, nowMs: 1000 };
  const [one, two] = [whoAmI('gpu', start), whoAmI('gpu', { ...start, pid: 6, nowMs: 2000 })];
  expect(one.worker).toBe(two.worker);
  expect(one.worker).toMatch(/^gpu@My-Mac-[0-9a-f]{6}$/);
  expect(one.identity).not.toBe(two.identity);
  expect(readIdentity(one.identity)).toEqual({ worker: one.worker, instance: one.instance });
  expect(whoAmI('gpu', { ...start, home: '/there' }).worker).not.toBe(one.worker);
  expect(whoAmI('gpu', { ...start, said: 'bench-1' }).worker).toBe('gpu@bench-1');
});

test('given every kind, then workers have a body for it, and no other', async () => {
  const bodies = createBodies(realSurroundings(await newHome()), { interpreters: createInterpreters() }, FEATURE_NODES);
  expect(Object.keys(bodies).sort()).toEqual(Object.keys(KINDS).sort());
});

test('when a worker polls, then its ready file has its process id', async () => {
  const home = await newHome();
  const ready = createReadyFile(home, 'control');
  ready.write();
  const path = join(home, 'workers', 'control.ready');
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ pid: process.pid });
  ready.remove();
  expect(existsSync(path)).toBe(false);
});

test('when a service moves, then its new address is read', async () => {
  const home = await newHome();
  expect(serviceOf(home, 'index')).toBeNull();
  for (const address of ['one', 'two']) {
    await writeFile(join(home, 'services.json'), JSON.stringify({ services: { index: { address } } }));
    expect(serviceOf(home, 'index')?.address).toBe(address);
  }
});

test('given workspaces, when they are swept, then those of dead workers are removed, and those of live ones stay', async () => {
  const home = await newHome();
  const mine = await makeWorkspace(home, 'run-0001', 'mine-1');
  const dead = await makeWorkspace(home, 'run-0001', 'dead-1');
  await writeFile(join(dead.folder, '..', 'owner'), '999999999');
  await mkdir(join(dead.folder, 'locked'), { mode: 0o500 });
  expect(await sweepWorkspaces(home, (pid) => pid === process.pid)).toBe(1);
  expect([existsSync(mine.folder), existsSync(dead.folder)]).toEqual([true, false]);
});

test('given a private folder of a dead worker, when workspaces are swept, then it is removed', async () => {
  const home = await newHome();
  const [mine, dead] = [makePrivateFolder(home, 'planning'), makePrivateFolder(home, 'planning')];
  await writeFile(join(dead.folder, 'owner'), '999999999');
  expect(await sweepWorkspaces(home, (pid) => pid === process.pid)).toBe(1);
  expect([existsSync(mine.folder), existsSync(dead.folder)]).toEqual([true, false]);
});

test('when a worker removes a workspace, then the owner file is removed last', async () => {
  const { folder, remove } = await makeWorkspace(await newHome(), 'run-0001', 'mine-1');
  for (const name of ['a', 'z']) await writeFile(join(folder, '..', name), '');
  const removed = jest.spyOn(fs, 'unlinkSync');
  await remove();
  expect(removed.mock.calls.map(([path]) => basename(String(path)))).toEqual(['a', 'z', 'owner']);
  removed.mockRestore();
});

test('given a worker without a server, then it exits with 1 and names the address', async () => {
  const env = { ...process.env, SLIPWAY_HOME: await newHome(), TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const main = join(packageRoot(), 'dist', 'workers', 'main.js');
  const ended = spawnSync(process.execPath, [main, '--queue', 'control'], { env, encoding: 'utf8' });
  expect(ended.status).toBe(1);
  expect(ended.stderr).toContain('127.0.0.1:1');
});
