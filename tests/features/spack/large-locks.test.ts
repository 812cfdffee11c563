/** @slow */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { plan } from '../../../src/adapters/facts/index.js';
import { NO_RUNS } from '../../support/no-runs.js';
import { aLock } from './an-environment.js';

const MIB = 1_048_576;
const root = mkdtempSync(join(tmpdir(), 'slipway-locks-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A lock of this many bytes: nobody reads most of them. */
function lockOf(bytes: number): string {
  const lock = aLock({ zlib: [] }, {});
  const filler = ',"annotations":""}';
  return lock.replace(/\}$/, `,"annotations":"${'x'.repeat(bytes - lock.length - filler.length + 1)}"}`);
}

/** Plans a repository with these files. Returns ids of steps, or problems. */
async function planned(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = mkdtempSync(join(root, 'case-'));
  const environments = { stack: { import: 'spack', file: 'env/spack.yaml' } };
  const file = { slipway: 1, pipeline: { name: 'stack', label: 'commit' }, source: { git: '..' }, environments };
  for (const [path, text] of Object.entries({ 'release/slipway.yaml': JSON.stringify(file), ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  git('init', '--quiet');
  git('-c', 'core.compression=0', 'add', '.');
  git('commit', '--quiet', '-m', 'all');
  return plan(join(folder, 'release', 'slipway.yaml'), 'local', {}, NO_RUNS).then(
    ({ steps }) => steps.map(({ id }) => id),
    (error: { problems: readonly { code: string; message: string; place?: { file: string } }[] }) =>
      error.problems.map(({ code, message, place }) => `${code} ${place?.file}: ${message}`),
  );
}

const YAML = 'spack: { specs: [zlib] }\n';
const tooLarge = (file: string, bytes: number, most: number): string =>
  `SOURCE_FILE_TOO_LARGE ${file}: the file is too large: it has ${bytes} bytes, and at most ${most} of one file and 128 MiB of all are read`;

test('given a lock with the bytes of 20,000 specs, then it is read', async () => {
  const steps = await planned({ 'env/spack.yaml': YAML, 'env/spack.lock': lockOf(48 * MIB) });
  expect(steps).toContainEqual(expect.stringMatching(/^specs\/zlib-1\.0-/));
});

test('given a lock that is larger, and a spack.yaml of over 4 MiB, then both are told with their sizes', async () => {
  const files = { 'env/spack.yaml': YAML.padEnd(4 * MIB + 1), 'env/spack.lock': lockOf(48 * MIB + 1) };
  expect(await planned(files)).toEqual([
    tooLarge('env/spack.yaml', 4 * MIB + 1, 4 * MIB),
    tooLarge('env/spack.lock', 48 * MIB + 1, 48 * MIB),
  ]);
});

test('given locks of phases that are larger together than all that is read, then planning ends with a code', async () => {
  const bootstrap = ['one', 'two', 'three'];
  const yaml = JSON.stringify({
    spack: {
      specs: ['zlib'],
      definitions: bootstrap.map((name) => ({ [name]: ['zlib'] })),
      ci: { bootstrap, 'pipeline-gen': [] },
    },
  });
  const lock = lockOf(48 * MIB);
  const locks = Object.fromEntries(bootstrap.map((name) => [`env/${name}/spack.lock`, lock]));
  const problems = await planned({ 'env/spack.yaml': yaml, 'env/spack.lock': lockOf(1_000), ...locks });
  expect(problems).toEqual([tooLarge('env/three/spack.lock', 48 * MIB, 48 * MIB)]);
});
