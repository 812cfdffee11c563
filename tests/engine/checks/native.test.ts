import { judgeMacosTags, judgeNative, newer, type NativeFacts } from '../../../src/engine/checks/native.js';
import type { PlatformFacts } from '../../../src/model/platform.js';
import { aPlatform } from '../../support/a-platform.js';

const elf = (more: Partial<NativeFacts> = {}): NativeFacts => ({
  format: 'elf',
  archs: ['x86_64'],
  glibc: '2.17',
  musl: false,
  minOs: null,
  signed: null,
  needed: ['libc.so.6'],
  runPaths: [],
  ...more,
});
const macho = (more: Partial<NativeFacts> = {}): NativeFacts =>
  elf({
    signed: true,
    format: 'macho',
    archs: ['arm64'],
    glibc: null,
    minOs: '11.0',
    needed: ['/usr/lib/libSystem.B.dylib'],
    ...more,
  });

const linux = aPlatform();
const old = aPlatform('linux-x86_64', { name: 'linux-x86_64-old', libc: { name: 'glibc', floor: '2.17' } });
const mac = aPlatform('macos-arm64');
const codes = (facts: NativeFacts, platform: PlatformFacts, tags: readonly string[] = []): readonly string[] =>
  judgeNative('skiff/a.so', facts, platform, tags).map(({ level, code }) => `${level} ${code}`);

test.each<[string, NativeFacts, PlatformFacts, readonly string[], readonly string[]]>([
  ['is sound on its platform', elf(), old, ['manylinux_2_17_x86_64', 'manylinux2014_x86_64'], []],
  ['is sound without a promised glibc', elf({ glibc: '2.36' }), linux, ['manylinux_2_36_x86_64'], []],
  ['is truncated', elf({ archs: [], broken: true }), linux, [], ['error NATIVE_BROKEN']],
  ['needs no C library', elf({ glibc: null }), old, ['manylinux1_x86_64'], []],
  ['is for another system', macho(), linux, [], ['error NATIVE_OS_DIFFERS']],
  ['is for Windows', elf({ format: 'pe', archs: ['amd64'] }), linux, [], ['error NATIVE_OS_DIFFERS']],
  ['is for another machine', elf({ archs: ['aarch64'] }), old, [], ['error NATIVE_ARCH_DIFFERS']],
  ['is for an unknown machine', elf({ archs: ['machine 7'] }), old, [], ['error NATIVE_ARCH_DIFFERS']],
  ['needs more than its tag says', elf({ glibc: '2.29' }), linux, ['manylinux_2_28_x86_64'], ['error GLIBC_TOO_NEW']],
  ['needs more than an old tag says', elf({ glibc: '2.14' }), linux, ['manylinux2010_x86_64'], ['error GLIBC_TOO_NEW']],
  [
    'needs more than its platform says',
    elf({ glibc: '2.28' }),
    old,
    ['manylinux_2_28_x86_64'],
    ['error GLIBC_TOO_NEW'],
  ],
  ['needs musl', elf({ glibc: null, musl: true }), old, [], ['error LIBC_DIFFERS']],
  [
    'needs glibc where its tag says musl',
    elf({ glibc: '2.17' }),
    linux,
    ['musllinux_1_2_x86_64'],
    ['error LIBC_DIFFERS'],
  ],
  [
    'needs musl where its tag says glibc',
    elf({ glibc: null, musl: true }),
    linux,
    ['manylinux_2_17_x86_64'],
    ['error LIBC_DIFFERS'],
  ],
  ['needs neither', elf({ glibc: null }), linux, ['manylinux_2_17_x86_64', 'musllinux_1_1_x86_64'], []],
  [
    'lacks a part that its tag promises',
    macho({ archs: ['arm64'] }),
    mac,
    ['macosx_11_0_universal2'],
    ['error NATIVE_ARCH_DIFFERS'],
  ],
  ['is sound on macOS', macho(), mac, ['macosx_11_0_arm64'], []],
  [
    'is universal, with the right architecture',
    macho({ archs: ['x86_64', 'arm64'] }),
    mac,
    ['macosx_11_0_universal2'],
    [],
  ],
  ['is for the other Mac', macho({ archs: ['x86_64'] }), mac, [], ['error NATIVE_ARCH_DIFFERS']],
  ['names no oldest macOS', macho({ minOs: null }), mac, [], ['error MACOS_UNSTATED']],
  [
    'is newer than tag and platform',
    macho({ minOs: '13.0' }),
    mac,
    ['macosx_12_0_arm64'],
    ['error MACOS_TOO_NEW', 'error MACOS_TOO_NEW'],
  ],
  ['has no signature', macho({ signed: false }), mac, [], ['error MACOS_UNSIGNED']],
  [
    'loads a library of the builder',
    macho({ needed: ['/opt/homebrew/lib/libssl.dylib', '@rpath/libsail.dylib', '/System/Library/x'] }),
    mac,
    [],
    ['error LIBRARY_OUTSIDE'],
  ],
])('given machine code that %s, then the findings match', (_, facts, platform, tags, found) =>
  expect(codes(facts, platform, tags)).toEqual(found),
);

test('given machine code above the promised glibc, then the finding names both versions and a fix', () => {
  expect(judgeNative('skiff/a.so', elf({ glibc: '2.29' }), old)).toMatchObject([
    {
      subject: 'skiff/a.so',
      why: 'needs glibc 2.29, the platform linux-x86_64-old promises 2.17',
      next: expect.stringContaining('cross: zig'),
    },
  ]);
});

test.each([
  ['macosx_11_0_arm64', []],
  ['macosx_11_3_arm64', ['MACOS_MINOR']],
  ['macosx_14_2_universal2', ['MACOS_MINOR']],
  ['macosx_10_9_x86_64', []],
  ['manylinux_2_17_x86_64', []],
  ['any', []],
])('given the tag %s, then its findings are %j', (tag, found) =>
  expect(judgeMacosTags('x.whl', [tag]).map(({ code }) => code)).toEqual(found),
);

test.each([
  ['2.17', '2.5', true],
  ['2.5', '2.17', false],
  ['11.0', '11', false],
  ['11.0.1', '11.0', true],
])('given versions %s and %s, then newer() returns %s', (a, b, is) => expect(newer(a, b)).toBe(is));
