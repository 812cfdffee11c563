import { mkdir, symlink } from 'node:fs/promises';
import type * as fs from 'node:fs';
import { join } from 'node:path';
import { disks } from '../../src/services/doctor/disks.js';
import type { Patient } from '../../src/services/doctor/check.js';
import { newHome } from '../support/run-body.js';

const GB = 1e9;
/** Free bytes of disks, by the folder that is asked; the rest has 100 GB. */
let free: Record<string, number> = {};
/** Disks of folders, by path; the rest is on one disk. */
let devices: Record<string, number> = {};
jest.mock('node:fs', () => {
  const actual = jest.requireActual<typeof fs>('node:fs');
  return {
    ...actual,
    statSync: (path: string) => (actual.existsSync(path) ? { dev: devices[path] ?? 1 } : undefined),
    statfsSync: (path: string) => ({
      bsize: 1,
      blocks: 200 * GB,
      bavail: free[path] ?? 100 * GB,
      files: 9,
      ffree: path.endsWith('log') ? 0 : 9,
    }),
  };
});

async function found(env: NodeJS.ProcessEnv = {}, home?: string) {
  return disks({ home: home ?? (await newHome()), env } as Patient).map(({ ok, name, detail }) => ({
    ok,
    name,
    detail,
  }));
}

test('given a store and logs on disks of their own, then each disk is asked once by the folders on it', async () => {
  const home = await newHome();
  for (const name of ['store', 'log', 'postgres', 'devpi']) await mkdir(join(home, name), { recursive: true });
  devices = { [join(home, 'store')]: 2, [join(home, 'log')]: 3, [join(home, 'devpi')]: 3 };
  free = { [join(home, 'store')]: 0.03 * GB };
  expect(await found({}, home)).toEqual([
    { ok: true, name: 'disk', detail: `100.0 GB free at ${home}` },
    { ok: false, name: 'disk of store', detail: `0.0 GB free at ${join(home, 'store')}` },
    { ok: true, name: 'disk of devpi, log', detail: `100.0 GB free at ${join(home, 'devpi')}` },
  ]);
  devices = { [join(home, 'log')]: 3 };
  expect((await found({}, home)).at(-1)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/no room for one more file$/),
  });
});

test('given the store of another home, then its disk is asked; a home that is not made is asked by the folder above', async () => {
  const [home, other] = [await newHome(), await newHome()];
  devices = { [other]: 2 };
  free = { [other]: GB };
  expect(await found({ SLIPWAY_STORE: join(other, 'store') }, join(home, 'new'))).toEqual([
    expect.objectContaining({ ok: true, name: 'disk' }),
    { ok: false, name: `disk of ${other}`, detail: `1.0 GB free at ${other}` },
  ]);
});

test('given full disks, then each row names what moves that folder', async () => {
  const [home, other] = [await newHome(), await newHome()];
  await mkdir(join(home, 'devpi'));
  devices = { [other]: 2, [join(home, 'devpi')]: 3 };
  free = { [home]: 0, [other]: 0, [join(home, 'devpi')]: 0 };
  const rows = disks({ home, env: { SLIPWAY_STORE: join(other, 'store') } as NodeJS.ProcessEnv } as Patient);
  expect(rows.map(({ mend }) => mend)).toEqual([
    'Free some space, or set SLIPWAY_HOME to a larger disk',
    'Free some space, or name a store on a larger disk in SLIPWAY_STORE',
    `Free some space, or mount a larger disk at ${join(home, 'devpi')}`,
  ]);
});

test('given a link that leads nowhere, then it is left out', async () => {
  const home = await newHome();
  await symlink('/nowhere', join(home, 'maven'));
  expect(await found({}, home)).toHaveLength(1);
});
