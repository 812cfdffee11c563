/** @long @needs tools compiler */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readNative } from '../../../src/activities/natives/read-native.js';
import type { Params } from '../../../src/model/params.js';
import type { Result } from '../../../src/model/result.js';
import { aPlatform } from '../../support/a-platform.js';
import { runBody, type BodyRun } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';
import { aLock, aSource, bodies, C_PROJECT, EPOCH, wheelStep } from './fixture.js';

const OLD = { libc: { name: 'glibc' as const, floor: '2.17' } };
const ARM = aPlatform('linux-aarch64', OLD);
const TARGETS = [
  {
    platform: ARM,
    tag: 'manylinux2014_aarch64.manylinux_2_17_aarch64',
    member: 'skiff/_sail.cpython-311-aarch64-linux-gnu.so',
    wanted: { format: 'elf', archs: ['aarch64'], glibc: '2.17', runPaths: [] },
  },
  {
    platform: aPlatform('macos-arm64'),
    tag: 'macosx_11_0_arm64',
    member: 'skiff/_sail.cpython-311-darwin.so',
    wanted: { format: 'macho', archs: ['arm64'], minOs: '11.0', signed: true, runPaths: [] },
  },
  {
    platform: aPlatform('linux-x86_64', { ...OLD, name: 'linux-x86_64-old' }),
    tag: 'manylinux2014_x86_64.manylinux_2_17_x86_64',
    member: 'skiff/_sail.cpython-311-x86_64-linux-gnu.so',
    wanted: { format: 'elf', archs: ['x86_64'], glibc: '2.14', runPaths: [] },
  },
];

/** In a folder of the source; log() and memcpy() have had new versions since glibc 2.5, so that the floor can be seen. */
const PROJECT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(C_PROJECT).map(([path, text]) => [`python/${path}`, text])),
  'python/sail.c': `#include <math.h>\n#include <string.h>\n${C_PROJECT['sail.c']}
double drift(double x) { return log(x) + pow(x, 3); }
void copy(char *to, const char *from, size_t n) { memcpy(to, from, n); }
`,
};

let home: string;
let lock: Result;
beforeAll(async () => {
  home = await homeWithCache();
  lock = await aLock(home, 'cp311');
});

async function build(
  more: Partial<Params['buildWheel']>,
  attempt = 1,
  files: Readonly<Record<string, string>> = {},
): Promise<BodyRun> {
  const step = wheelStep({ python: 'cp311', folder: 'python', cross: 'zig', ...more });
  return runBody(bodies.buildWheel, step, {
    home,
    inputs: [await aSource(home, { ...PROJECT, ...files }), lock],
    epoch: EPOCH,
    attempt,
  });
}

/** Of what was built, by platform. */
const digests = new Map<string, string>();

/** For this machine; what the file says for all platforms does not reach another one. */
const FLAGS = { CC: 'gcc', LDSHARED: 'gcc -shared -Wl,--build-id=none', CFLAGS: '-O3 -DNDEBUG -fwrapv -Wall' };

test.each(TARGETS)('given $platform.name, then zig builds a C extension with the promised tag', async (target) => {
  const { made, around } = await build({ for: target.platform, env: FLAGS });
  expect(made.facts).toMatchObject({ file: `skiff-1.2-cp311-cp311-${target.tag}.whl` });
  expect(made.findings!.filter(({ level }) => level === 'error')).toEqual([]);
  const wheel = join(home, made.artifacts[0]!.name);
  await around.store.fetch(made.artifacts[0]!.digest, wheel);
  execFileSync('unzip', ['-q', wheel, target.member, '-d', join(home, target.platform.name)]);
  expect(await readNative(join(home, target.platform.name, target.member))).toMatchObject(target.wanted);
  digests.set(target.platform.name, made.artifacts[0]!.digest);
});

test('given the same source in another folder, then the bytes are the same', async () => {
  const { made } = await build({ for: ARM, env: FLAGS }, 2);
  expect(made.artifacts[0]!.digest).toBe(digests.get(ARM.name));
});

const GCC = existsSync('/usr/bin/aarch64-linux-gnu-gcc');
(GCC ? test : test.skip)(
  `given gcc, then it builds too, for its own C library${GCC ? '' : ' (no aarch64-linux-gnu-gcc)'}`,
  async () => {
    const { made } = await build({ for: aPlatform('linux-aarch64'), cross: 'gcc' });
    // log() has a version of its own since glibc 2.29.
    expect(made.facts).toMatchObject({
      file: expect.stringMatching(/^skiff-1\.2-cp311-cp311-.*manylinux_2_\d+_aarch64\.whl$/),
    });
  },
);

test('given an abi3 wheel for another machine, then it is for all Pythons from its own on', async () => {
  const setup = PROJECT['python/setup.py']!.replace(
    '["sail.c"]',
    '["sail.c"], define_macros=[("Py_LIMITED_API", "0x03090000")], py_limited_api=True',
  );
  const files = { 'python/setup.py': setup, 'python/setup.cfg': '[bdist_wheel]\npy_limited_api = cp39\n' };
  const { made } = await build({ for: ARM, python: null, interpreter: 'cp311' }, 1, files);
  expect(made.facts).toMatchObject({
    file: 'skiff-1.2-cp39-abi3-manylinux2014_aarch64.manylinux_2_17_aarch64.whl',
  });
  expect(made.artifacts[0]!.labels).not.toHaveProperty('python');
});

test.each([
  ['', null],
  [', also where auditwheel finds nothing to repair', { exclude: [] }],
])('given a command with its own compiler, then the wheel is refused for its machine code%s', async (_, repair) => {
  const run =
    'CC=gcc LDSHARED="gcc -shared" uv build -q --wheel --no-build-isolation --no-config --python python -o "$SLIPWAY_OUT"';
  await expect(build({ for: ARM, builder: 'command', run, repair })).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ code: 'NATIVE_ARCH_DIFFERS' })]),
  });
});
