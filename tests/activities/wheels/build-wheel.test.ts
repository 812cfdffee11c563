/** @long @needs tools compiler */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Params } from '../../../src/model/params.js';
import { aPlatform } from '../../support/a-platform.js';
import { aStep, newHome, runBody } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';
import { aSource, bodies, C_PROJECT, EPOCH, handmade, HOST, wheelStep } from './fixture.js';

const build = async (files: Readonly<Record<string, string>>, more: Partial<Params['buildWheel']> = {}) => {
  const home = await homeWithCache();
  return runBody(bodies.buildWheel, wheelStep(more), { home, inputs: [await aSource(home, files)], epoch: EPOCH });
};
const byHand = (
  files: Readonly<Record<string, string>>,
  more: Partial<Params['buildWheel']> = {},
  tag?: string,
  record?: boolean,
) =>
  build(
    { 'pyproject.toml': '' },
    { builder: 'command', run: handmade(files, tag, record), env: { OUT: '{out}' }, ...more },
  );
const SCRIPT = { 'skiff-1.2.data/scripts/skiff': '#!/bin/sh\n. @HERE@/venv/bin/activate\n' };

describe('a project with a C extension', () => {
  test("given a source, then it becomes a repaired wheel with the source's commit, with the same bytes each time", async () => {
    const more = {
      env: { CFLAGS: '-O2 -g0', LDSHARED: 'gcc -shared -Wl,--build-id=none' },
      commit: { file: 'skiff/__init__.py', match: 'commit = "(.+)"' },
    };
    const source = { kind: 'sdist' as const, name: 'skiff', version: '1.2', sha256: '', branch: null };
    const once = async () => {
      const home = await newHome();
      const inputs = [await aSource(home, C_PROJECT)];
      return runBody(bodies.buildWheel, wheelStep(more), { home, inputs, epoch: EPOCH, plan: { source } });
    };
    const [one, two] = [await once(), await once()];
    expect(one.made.note).toMatch(/^cp312 manylinux.*_x86_64, 6 files$/);
    expect(one.made.artifacts).toMatchObject([
      { kind: 'wheel', labels: { project: 'skiff', version: '1.2', python: 'cp312' } },
    ]);
    expect(one.made.findings!.filter(({ level }) => level === 'error')).toEqual([]);
    expect(two.made.artifacts).toEqual(one.made.artifacts);
  });

  test('given an sdist that a step built, then the wheel is built from it', async () => {
    const home = await homeWithCache();
    const step = aStep('buildSdist', { ...HOST, run: null, project: 'skiff', builder: 'uv', outputs: [] });
    const source = [await aSource(home, C_PROJECT)];
    const { result } = await runBody(bodies.buildSdist, step, { home, inputs: source, epoch: EPOCH });
    const { made } = await runBody(bodies.buildWheel, wheelStep(), { home, inputs: [result], epoch: EPOCH });
    expect(made.note).toMatch(/^cp312 manylinux.*_x86_64, 6 files$/);
  });

  test('when a header is missing, then the problem names it and where to add it', async () => {
    const sail = `#include <no/such.h>\n${C_PROJECT['sail.c']}`;
    await expect(build({ ...C_PROJECT, 'sail.c': sail })).rejects.toMatchObject({
      first: { code: 'BUILD_FAILED', class: 'product', next: expect.stringContaining('no/such.h') },
    });
  });

  test('when it has a run path of the builder, then it is refused', async () => {
    const env = { LDSHARED: 'gcc -shared -Wl,-rpath,/opt/builder/lib' };
    await expect(
      build(C_PROJECT, { env, repair: null, accept: { PLATFORM_TAG_REFUSED: 'a test' } }),
    ).rejects.toMatchObject({
      first: { code: 'RUNPATH', message: expect.stringContaining('/opt/builder/lib') },
    });
  });

  test('when it is not repaired, then its platform tag is refused', async () => {
    await expect(build(C_PROJECT, { repair: null })).rejects.toMatchObject({ first: { code: 'PLATFORM_TAG_REFUSED' } });
  });
});

describe('a wheel made by a command', () => {
  test('when it is sound, then it is taken unchanged', async () => {
    const { made } = await byHand({ 'skiff/__init__.py': '' });
    expect(made.note).toBe('py3 any, 4 files');
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['names the builder’s folder in a script', 'BUILDER_PATH', () => byHand(SCRIPT)],
    [
      'has a RECORD that leaves a file out',
      'RECORD_WRONG',
      () => byHand({ 'skiff/__init__.py': '' }, {}, undefined, false),
    ],
    ['is of another version', 'VERSION_DIFFERS', () => byHand({ 'skiff/__init__.py': '' }, { version: '1.3' })],
    ['is for another Python', 'PYTHON_TAG_DIFFERS', () => byHand({ 'skiff/__init__.py': '' }, {}, 'cp311-none-any')],
    [
      'has another commit',
      'COMMIT_DIFFERS',
      () => byHand({ 'c.py': 'c=other' }, { commit: { file: 'c.py', match: 'c=(.+)' } }),
    ],
    ['has a member that leads outside', 'ARCHIVE_UNSAFE', () => byHand({ '../evil.py': '' })],
    ['is missing', 'WHEEL_ABSENT', () => byHand({}, { run: 'true' })],
    ['comes from a command that failed', 'BUILD_FAILED', () => byHand({}, { run: 'exit 3' })],
    ['has no command', 'COMMAND_MISSING', () => byHand({}, { run: null })],
  ])('when it %s, then it is refused', async (_, code, act) => {
    await expect(act()).rejects.toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ code })]),
    });
  });

  test('when its defect is accepted, then the defect becomes a note', async () => {
    const { made } = await byHand(SCRIPT, { accept: { BUILDER_PATH: 'nobody runs it' } });
    const accepted = made.findings!.filter(({ code }) => code === 'BUILDER_PATH');
    expect(accepted).toMatchObject([{ level: 'note', why: expect.stringContaining('nobody runs it') }]);
  });
});

describe('a wheel whose tag and content disagree', () => {
  const NATIVE = { 'skiff/sail.so': '@FILE sail.so' };
  // log() has a version of its own since glibc 2.29.
  const compiled = (tag: string, compiler = 'gcc', platform = aPlatform()): Promise<unknown> =>
    build(
      { 'pyproject.toml': '', 'sail.c': '#include <math.h>\ndouble drift(double x) { return log(x); }\n' },
      {
        builder: 'command',
        run: `${compiler} -shared -fPIC -o sail.so sail.c $LIBS\n${handmade(NATIVE, tag)}`,
        env: { OUT: '{out}', LIBS: compiler === 'gcc' ? '-lm' : '' },
        for: platform,
        cross: platform.os === 'macos' ? 'zig' : null,
      },
    );
  const MAC = aPlatform('macos-arm64');

  test.each<[string, string, () => Promise<unknown>]>([
    ['a newer C library', 'GLIBC_TOO_NEW', () => compiled('cp312-cp312-manylinux_2_17_x86_64')],
    [
      'another machine',
      'NATIVE_ARCH_DIFFERS',
      () => compiled('cp312-cp312-manylinux_2_34_aarch64', 'gcc', aPlatform('linux-aarch64')),
    ],
    ['another system', 'NATIVE_OS_DIFFERS', () => compiled('cp312-cp312-macosx_11_0_arm64', 'gcc', MAC)],
    ['a newer macOS', 'MACOS_TOO_NEW', () => compiled('cp312-cp312-macosx_10_15_arm64', '$CC', MAC)],
    ['a minor macOS version in the tag', 'MACOS_MINOR', () => compiled('cp312-cp312-macosx_11_3_arm64', '$CC', MAC)],
  ])('given %s, then it is refused', async (_, code, act) => {
    await expect(act()).rejects.toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ code })]),
    });
  });
});

test('given a container without a Docker engine, then it fails with NO_ENGINE_HERE', async () => {
  const where = { in: 'container' as const, base: 'bases/x' };
  await expect(build(C_PROJECT, { where })).rejects.toMatchObject({ first: { code: 'NO_ENGINE_HERE' } });
});

test('given a preparation, then its tree has normalised archives and the same bytes each time', async () => {
  const run =
    "python -c \"import zipfile; zipfile.ZipFile('a.jar', 'w').writestr('x', 'y')\"; cp $SLIPWAY_FILES/over.txt taken.txt";
  const once = async () => {
    const home = await newHome();
    const step = aStep('prepareSource', {
      run,
      env: {},
      folder: '.',
      where: { in: 'host' },
      project: 'skiff',
      python: 'cp312',
      overlay: 'overlay',
      normalise: ['*.jar'],
    });
    const files = { 'over.txt': 'over', 'overlay/skiff/__init__.py': 'ours' };
    return runBody(bodies.prepareSource, step, { home, files, inputs: [await aSource(home, C_PROJECT)], epoch: EPOCH });
  };
  const [one, two] = [await once(), await once()];
  expect(one.made.artifacts[0]!.digest).toBe(two.made.artifacts[0]!.digest);
  const tar = join(one.home, 'tree.tar');
  await one.around.store.fetch(one.made.artifacts[0]!.digest, tar);
  expect(execFileSync('tar', ['-xOf', tar, 'skiff/__init__.py', 'taken.txt'], { encoding: 'utf8' })).toBe('oursover');
});
