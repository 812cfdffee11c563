import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/adapters/home.js';
import { makeHomeKeys } from '../../../src/adapters/home-keys/make.js';
import { openHomeKeys, keysFolder } from '../../../src/adapters/home-keys/open.js';
import { makeServiceSecrets } from '../../../src/adapters/home-keys/service-secrets.js';
import { isProved, withProof } from '../../../src/model/proof.js';
import { newHome } from '../../support/run-body.js';

async function aHome(): Promise<string> {
  const folder = join(await newHome(), 'keys');
  makeHomeKeys(folder);
  return folder;
}

test('given a home without keys, when they are made, then only its user can read the private keys', async () => {
  const folder = await aHome();
  expect(readdirSync(folder).sort()).toEqual(['control.key', 'control.pub', 'worker.key']);
  const modes = ['control.key', 'worker.key'].map((file) => statSync(join(folder, file)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600]);
});

test('given keys, when they are made again, then they are unchanged', async () => {
  const folder = await aHome();
  const before = openHomeKeys(folder).sign('control', 'a', { b: 1 });
  makeHomeKeys(folder);
  expect(openHomeKeys(folder).sign('control', 'a', { b: 1 })).toEqual(before);
});

test('given a proof, then it is valid for its value, purpose and role only', async () => {
  const keys = openHomeKeys(await aHome());
  const value = withProof(keys, 'worker', 'record a', { b: 1 });
  expect(isProved(keys, 'worker', 'record a', value)).toBe(true);
  expect(isProved(keys, 'worker', 'record b', value)).toBe(false);
  expect(isProved(keys, 'control', 'record a', value)).toBe(false);
  expect(isProved(keys, 'worker', 'record a', { ...value, b: 2 })).toBe(false);
  expect(isProved(keys, 'worker', 'record a', { b: 1 })).toBe(false);
  expect(isProved(openHomeKeys(await aHome()), 'worker', 'record a', value)).toBe(false);
});

test.each<[proof: unknown, because: string]>([
  ['text', 'no object'],
  [{ by: 'worker' }, 'no signature'],
  [{ by: 'worker', sig: '@@' }, 'no base64'],
  [{ by: 'nobody', sig: 'AAAA' }, 'no role'],
])('given the proof %j (%s), then it is invalid', async (proof) => {
  const keys = openHomeKeys(await aHome());
  expect(isProved(keys, 'worker', 'a', { b: 1, proof: proof as never })).toBe(false);
});

test('given only the public key of control, then proofs can be verified and not made', async () => {
  const [home, folder] = [await aHome(), join(await newHome(), 'keys')];
  const proved = withProof(openHomeKeys(home), 'control', 'a', { b: 1 });
  mkdirSync(folder);
  copyFileSync(join(home, 'control.pub'), join(folder, 'control.pub'));
  makeHomeKeys(folder);
  const keys = openHomeKeys(folder);
  expect([keys.knows('control'), keys.holds('control'), keys.holds('worker')]).toEqual([true, false, false]);
  expect(isProved(keys, 'control', 'a', proved)).toBe(true);
  expect(withProof(keys, 'control', 'a', { b: 1 })).toEqual({ b: 1 });
  expect(openHomeKeys(home, ['worker']).holds('control')).toBe(false);
});

test('given a private key that others can read, then it is refused with what to type', async () => {
  const folder = await aHome();
  chmodSync(join(folder, 'control.key'), 0o640);
  expect(() => openHomeKeys(folder)).toThrow(/HOME_KEY_TOO_OPEN.*mode is 640/);
});

test('given an invalid key file, then it is refused and not quoted', async () => {
  const folder = await aHome();
  rmSync(join(folder, 'worker.key'));
  writeFileSync(join(folder, 'worker.key'), 'hunter2', { mode: 0o600 });
  expect(() => openHomeKeys(folder)).toThrow(/HOME_KEY_UNREADABLE/);
  expect(() => openHomeKeys(folder)).not.toThrow(/hunter2/);
});

test.each([
  [{}, '/home/a/.slipway/keys'],
  [{ SLIPWAY_STORE: '/home/b/.slipway/store' }, '/home/b/.slipway/keys'],
  [{ SLIPWAY_STORE: 's3://bucket/prefix' }, '/home/a/.slipway/keys'],
  [{ SLIPWAY_STORE: '/home/b/.slipway/store', SLIPWAY_KEYS: '/etc/slipway/keys' }, '/etc/slipway/keys'],
])('given %j, then the keys are in %s', (env, folder) => {
  expect(keysFolder(env, '/home/a/.slipway')).toBe(folder);
});

const isRoot = process.getuid?.() === 0;
(isRoot ? test : test.skip)(
  'given keys in a file system that is read only, then those that are there do, and a missing one is named',
  async () => {
    const folder = await aHome();
    makeServiceSecrets(folder);
    const script = `mount --bind -o ro "$1" "$1" 2>/dev/null || { mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; }; exec "$2" -e "$3"`;
    const code = `const { makeHomeKeys } = require('./dist/adapters/home-keys/make.js');
const { makeServiceSecrets } = require('./dist/adapters/home-keys/service-secrets.js');
try { makeHomeKeys('${folder}'); makeServiceSecrets('${folder}'); console.log('fine'); }
catch (error) { console.log(error.message); }`;
    const inside = (): string =>
      spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', folder, process.execPath, code], {
        ...{ cwd: packageRoot(), encoding: 'utf8' },
      }).stdout;
    expect(inside()).toBe('fine\n');
    rmSync(join(folder, 'publish.key'));
    expect(inside()).toMatch(/^HOME_KEYS_NOT_WRITABLE: the key .*publish\.key is missing and cannot be made: EROFS/);
  },
);
