/** @long @needs tools compiler */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnLock } from '../../../src/model/wheel-params.js';
import { runBody, type BodyRun } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';
import { aSource, bodies, C_PROJECT, EPOCH, wheelStep } from './fixture.js';

const CUTOFF = '2026-11-01T00:00:00Z';

/** An in-tree backend that asks for one more package when it is asked, and needs it to build. */
const ASKING: Readonly<Record<string, string>> = {
  'pyproject.toml': `[build-system]
requires = ["setuptools>=61"]
build-backend = "own"
backend-path = ["."]
`,
  'own.py': `from setuptools.build_meta import *
from setuptools import build_meta
def get_requires_for_build_wheel(config_settings=None):
    return ["flit-core>=3"]
def build_wheel(*args, **kwargs):
    import flit_core
    return build_meta.build_wheel(*args, **kwargs)
`,
  'setup.cfg': '[metadata]\nname = skiff\nversion = 1.2\n[options]\npy_modules = skiff\n',
  'skiff.py': 'x = 1\n',
};

async function build(files: Readonly<Record<string, string>>, lock: Partial<OwnLock> = {}): Promise<BodyRun> {
  const home = await homeWithCache();
  const step = wheelStep({ lock: { requires: [], cutoff: CUTOFF, ...lock } });
  return runBody(bodies.buildWheel, step, { home, inputs: [await aSource(home, files)], epoch: EPOCH });
}

async function lockOf({ made, around, home }: BodyRun): Promise<string> {
  const lock = made.artifacts.find(({ kind }) => kind === 'buildLock')!;
  const path = join(home, 'read', lock.name);
  await around.store.fetch(lock.digest, path);
  return readFile(path, 'utf8');
}
const pinsOf = (lock: string): readonly string[] => [...lock.matchAll(/^([\w.-]+)==/gm)].map(([, name]) => name!);

test('given a backend that asks for more, then all of it is locked with hashes, and the wheel is built with it', async () => {
  const run = await build(ASKING);
  expect(run.made.artifacts).toMatchObject([
    { kind: 'wheel', name: 'skiff-1.2-py3-none-any.whl' },
    { kind: 'buildLock', name: 'skiff-1.2-cp312-linux-x86_64.build.txt', labels: { python: 'cp312' } },
  ]);
  const lock = await lockOf(run);
  expect(pinsOf(lock)).toEqual(['flit-core', 'setuptools']);
  expect(lock).toContain('--hash=sha256:');
});

test('given a C extension built twice, then wheel and lock have the same bytes', async () => {
  const [one, two] = [await build(C_PROJECT), await build(C_PROJECT)];
  expect(one.made.artifacts).toEqual(two.made.artifacts);
});

test('given further requirements, then they hold the versions back', async () => {
  expect(await lockOf(await build(C_PROJECT, { requires: ['setuptools<70'] }))).toMatch(/^setuptools==69\./m);
});

test.each<[string, Readonly<Record<string, string>>, Partial<OwnLock>, string]>([
  ['a requirement that no version fits', C_PROJECT, { requires: ['setuptools<61'] }, 'BUILD_UNSOLVABLE'],
  ['a cut-off before the first version', C_PROJECT, { cutoff: '2001-01-01T00:00:00Z' }, 'BUILD_UNSOLVABLE'],
  ['a pyproject.toml that is none', { ...C_PROJECT, 'pyproject.toml': '[build-system' }, {}, 'BUILD_REQUIRES_FAILED'],
  ['a hook that fails', { ...ASKING, 'own.py': 'raise SystemExit(3)\n' }, {}, 'BUILD_REQUIRES_FAILED'],
  ['a tree without a project', { 'README.md': '' }, {}, 'NO_BUILD_SYSTEM'],
])('given %s, then the build fails with a code', async (_, files, lock, code) => {
  await expect(build(files, lock)).rejects.toMatchObject({ first: { code, class: 'product' } });
});
