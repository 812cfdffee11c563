/** @needs tools compiler */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crossTools } from '../../../src/activities/cross/cross-tools.js';
import { fillZig } from '../../../src/activities/cross/zig.js';
import { readNative } from '../../../src/activities/natives/read-native.js';
import type { Body } from '../../../src/activities/work.js';
import { judgeNative, type NativeFacts } from '../../../src/engine/checks/native.js';
import type { Cross, PlatformFacts } from '../../../src/model/platform.js';
import { aPlatform } from '../../support/a-platform.js';
import { aStep, runBody } from '../../support/run-body.js';
import { homeWithCache } from '../../support/shared-cache.js';

const CODE = '#include <math.h>\ndouble drift(double x) { return log(x); }\n';
const LINE = '$CC -shared -fPIC -L/opt/builder/lib -Wl,-rpath,/opt/builder/lib -g -o lib.so sail.c $LIBS';
const glibc = (floor: string): Pick<PlatformFacts, 'libc'> => ({ libc: { name: 'glibc', floor } });
const macos = (floor: string): Pick<PlatformFacts, 'libc'> => ({ libc: { name: 'macos', floor } });

interface Built {
  readonly facts: NativeFacts | null;
  readonly bytes: Buffer;
  readonly path: string;
}

let home: string;
beforeAll(async () => (home = await homeWithCache()));

/** A library made by a plain command that uses $CC, as a build script would; null: this machine's own gcc. */
async function compile(cross: Cross | null, platform: PlatformFacts): Promise<Built> {
  let built: Built | null = null;
  const body: Body<'runCommand'> = async (work) => {
    writeFileSync(join(work.folder, 'sail.c'), CODE);
    const tools = cross === null ? { CC: 'gcc' } : await crossTools(work, cross, platform);
    await work.must(LINE, { env: work.env({ ...tools, LIBS: platform.os === 'macos' ? '' : '-lm' }) });
    const path = join(home, `${platform.name}-${cross ?? 'own'}.so`);
    writeFileSync(path, readFileSync(join(work.folder, 'lib.so')));
    built = { facts: await readNative(path), bytes: readFileSync(path), path };
    return { artifacts: [], note: '' };
  };
  const params = { run: null, env: {}, folder: '.', where: { in: 'host' as const }, outputs: [], expect: null };
  await runBody(body, aStep('runCommand', params), { home });
  return built!;
}

test.each([
  ...['cpp', 'cc', 'cxx', 'c++', 'C', 'mm'].map((suffix) => [`tree/sail.${suffix}`, '', ['cc', 'c++']] as const),
  ['tree/sail.pyx', '# distutils: language = c++\n', ['cc', 'c++']],
  ['tree/setup.py', "Extension('sail', ['sail.pyx'], language='c++')", ['cc', 'c++']],
  ['tree/sail.pyx', '# cython: language_level=3\n', ['cc']],
  // Build requirements, such as Cython.
  ['venv/lib/CppSupport.cpp', '', ['cc']],
  ['venv/lib/vector.pyx', '# distutils: language = c++\n', ['cc']],
] as const)('given %s with %p, then zig compiles its runtime libraries for %p', async (path, text, expected) => {
  const asked: string[] = [];
  const body: Body<'runCommand'> = async (work) => {
    mkdirSync(dirname(join(work.folder, path)), { recursive: true });
    writeFileSync(join(work.folder, path), text);
    const exec: typeof work.exec = (argv) => {
      asked.push((argv as readonly string[])[1]!);
      return Promise.resolve({ code: 1, timedOut: false });
    };
    await fillZig({ ...work, env: () => ({}), exec }, 'zig', 'aarch64-linux-gnu.2.17');
    return { artifacts: [], note: '' };
  };
  const params = { run: null, env: {}, folder: '.', where: { in: 'host' as const }, outputs: [], expect: null };
  await runBody(body, aStep('runCommand', params));
  expect(asked).toEqual(expected);
});

const codes = (built: Built, platform: PlatformFacts, tags: readonly string[] = []): readonly string[] =>
  judgeNative('lib.so', built.facts!, platform, tags).map(({ code }) => code);

test.each<[PlatformFacts, Partial<NativeFacts>]>([
  [aPlatform('linux-aarch64', glibc('2.17')), { format: 'elf', archs: ['aarch64'], glibc: '2.17', minOs: null }],
  [aPlatform('linux-x86_64', glibc('2.17')), { format: 'elf', archs: ['x86_64'], minOs: null }],
  [aPlatform('macos-arm64'), { format: 'macho', archs: ['arm64'], glibc: null, minOs: '11.0' }],
])(
  'given the platform $name, then zig builds a library for it, with the same bytes each time',
  async (platform, wanted) => {
    const built = await compile('zig', platform);
    expect(built.facts).toMatchObject({ ...wanted, runPaths: [] });
    expect(built.bytes.includes(home)).toBe(false);
    expect(codes(built, platform)).toEqual([]);
    const again = await compile('zig', platform);
    expect(again.bytes.equals(built.bytes)).toBe(true);
  },
);

test('given a native build, then promises that it does not keep are found', async () => {
  const built = await compile(null, aPlatform());
  // log() has a version of its own since glibc 2.29.
  expect(built.facts).toMatchObject({ archs: ['x86_64'], glibc: '2.29', runPaths: ['/opt/builder/lib'] });
  expect(codes(built, aPlatform('linux-x86_64', glibc('2.17')))).toEqual(['GLIBC_TOO_NEW']);
  expect(codes(built, aPlatform(), ['manylinux_2_28_x86_64'])).toEqual(['GLIBC_TOO_NEW']);
  expect(codes(built, aPlatform('linux-aarch64'))).toEqual(['NATIVE_ARCH_DIFFERS']);
  expect(codes(built, aPlatform('macos-arm64'))).toEqual(['NATIVE_OS_DIFFERS']);
});

test('given a library for a newer macOS, then it is refused in a wheel for an older one', async () => {
  const built = await compile('zig', aPlatform('macos-arm64', macos('13.0')));
  expect(codes(built, aPlatform('macos-arm64'), ['macosx_12_0_arm64'])).toEqual(['MACOS_TOO_NEW', 'MACOS_TOO_NEW']);
});

const GCC = existsSync('/usr/bin/aarch64-linux-gnu-gcc');
(GCC ? test : test.skip)(
  `given gcc for another machine, then it cross-builds${GCC ? '' : ' (no aarch64-linux-gnu-gcc here)'}`,
  async () => {
    const built = await compile('gcc', aPlatform('linux-aarch64'));
    expect(built.facts).toMatchObject({ format: 'elf', archs: ['aarch64'], runPaths: [] });
    expect(codes(built, aPlatform('linux-aarch64'))).toEqual([]);
  },
);

test('given a truncated binary, then it is reported as broken or as no binary, without a crash', async () => {
  for (const built of [await compile('zig', aPlatform('macos-arm64')), await compile(null, aPlatform())]) {
    for (let cut = 0; cut < built.bytes.length; cut += Math.ceil(built.bytes.length / 97)) {
      const path = join(home, 'half');
      writeFileSync(path, built.bytes.subarray(0, cut));
      const facts = await readNative(path);
      expect(facts === null || ['elf', 'macho'].includes(facts.format)).toBe(true);
      const bent = Buffer.from(built.bytes);
      bent.fill(0xff, cut, cut + 64);
      writeFileSync(path, bent);
      await readNative(path);
    }
  }
});
