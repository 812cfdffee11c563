import type { PathHit } from '../../../src/engine/checks/builder-paths.js';
import { aPlatform } from '../../support/a-platform.js';
import { acceptFindings, judgeWheel, type WheelFacts } from '../../../src/engine/checks/wheel.js';

const file = 'skiff-1.2-cp312-cp312-manylinux_2_34_x86_64.whl';
const members = [
  { path: 'skiff/__init__.py', sha256: 'aaa', size: 3 },
  { path: 'skiff-1.2.dist-info/RECORD', sha256: 'rrr', size: 9 },
];
const record = 'skiff/__init__.py,sha256=aaa,3\nskiff-1.2.dist-info/RECORD,,\n';

const facts = (more: Partial<WheelFacts> = {}): WheelFacts => ({
  file,
  wanted: { project: 'skiff', version: '1.2', python: 'cp312', platform: aPlatform(), everywhere: false },
  metadata: { name: 'skiff', version: '1.2' },
  tags: ['cp312-cp312-manylinux_2_34_x86_64'],
  record,
  members,
  natives: [],
  runPaths: [],
  paths: [],
  commit: null,
  ...more,
});
const hit = (more: Partial<PathHit> = {}): PathHit => ({
  member: 'skiff-1.2.data/scripts/skiff',
  in: 'text',
  line: 3,
  path: '<build environment>/bin/activate',
  ...more,
});
const found = (more: Partial<WheelFacts>): string[] =>
  judgeWheel(facts(more)).map(({ level, code }) => `${level} ${code}`);

test('given a sound wheel, then there is no finding', () => expect(judgeWheel(facts())).toEqual([]));

test.each<[string, Partial<WheelFacts>, string]>([
  ['an invalid name', { file: 'skiff.whl' }, 'error WHEEL_NAME_INVALID'],
  ['no metadata', { metadata: null }, 'error METADATA_ABSENT'],
  ['another project', { wanted: { ...facts().wanted, project: 'raft' } }, 'error PROJECT_DIFFERS'],
  ['another version', { wanted: { ...facts().wanted, version: '1.3' } }, 'error VERSION_DIFFERS'],
  ['tags of its metadata that differ', { tags: ['cp312-cp312-linux_x86_64'] }, 'warning NAME_DIFFERS'],
  [
    'a tag for another machine',
    { wanted: { ...facts().wanted, platform: aPlatform('linux-aarch64') } },
    'error PLATFORM_TAG_REFUSED',
  ],
  ['another Python', { wanted: { ...facts().wanted, python: 'cp311' } }, 'error PYTHON_TAG_DIFFERS'],
  ['no RECORD', { record: null }, 'error RECORD_WRONG'],
  ['a file that RECORD does not list', { record: 'skiff-1.2.dist-info/RECORD,,' }, 'error RECORD_WRONG'],
  ['a file that RECORD lists and is absent', { record: `${record}skiff/gone.py,sha256=x,1\n` }, 'error RECORD_WRONG'],
  ['a changed file', { record: record.replace('aaa', 'bbb') }, 'error RECORD_WRONG'],
  ['a changed size', { record: record.replace(',3', ',4') }, 'error RECORD_WRONG'],
  ['a run path', { runPaths: [{ member: 'skiff/a.so', value: '<Python>/lib' }] }, 'error RUNPATH'],
  ['a builder’s path in a script', { paths: [hit()] }, 'error BUILDER_PATH'],
  [
    'a source file in an object',
    { paths: [hit({ in: 'code', line: null, path: '<source tree>/src/sail.CPP' })] },
    'note SOURCE_PATH',
  ],
  [
    'a folder in an object, beside a source file',
    { paths: ['src/sail.cpp', 'share'].map((path) => hit({ in: 'code', line: null, path: `<source tree>/${path}` })) },
    'error BUILDER_PATH',
  ],
  [
    'a source file in a text',
    { paths: [hit({ member: 'skiff/where.py', path: '<source tree>/src/sail.cpp' })] },
    'error BUILDER_PATH',
  ],
  [
    'a builder’s path in debug information',
    { paths: [hit({ in: 'debug', line: null })] },
    'note BUILDER_PATH_IN_DEBUG',
  ],
  [
    'no commit file',
    { commit: { file: 'v.py', present: false, found: null, wanted: 'c1' } },
    'error COMMIT_FILE_ABSENT',
  ],
  [
    'a commit file without a commit',
    { commit: { file: 'v.py', present: true, found: null, wanted: 'c1' } },
    'error COMMIT_ABSENT',
  ],
  ['another commit', { commit: { file: 'v.py', present: true, found: 'c2', wanted: 'c1' } }, 'error COMMIT_DIFFERS'],
])('given a wheel with %s, then it is reported', (_, more, finding) => expect(found(more)).toContain(finding));

const ofVersion = (inName: string, metadata: string, wanted: string): string[] =>
  found({
    file: file.replace('1.2', inName),
    metadata: { name: 'skiff', version: metadata },
    wanted: { ...facts().wanted, version: wanted },
  });

test.each([
  ['1.0.post1', '1.0-1', '1.0.post1'],
  ['1.0rc0', '1.0rc', '1.0-rc.0'],
  ['1.0', '0!1.0', 'v1'],
  ['2026.1.5', '2026.01.05', '2026.1.05'],
  ['1.0+cpu.2', '1.0+cpu-2', '1.0+CPU_02'],
])('given a wheel %s with metadata %s, when the release is %s, then versions agree', (inName, metadata, wanted) =>
  expect(ofVersion(inName, metadata, wanted)).toEqual([]),
);

test.each([
  ['1.0.post1', '1.0-1', '11'],
  ['1.0', '1.0', '1.0rc0'],
  ['1.0+cpu', '1.0+cpu', '1.0'],
  ['1.10', '1.10', '1.1'],
  ['10', '10', '1.0'],
])('given a wheel %s with metadata %s, when the release is %s, then versions differ', (inName, metadata, wanted) =>
  expect(ofVersion(inName, metadata, wanted)).toEqual(['error VERSION_DIFFERS']),
);

test('given a wheel of a pipeline, which has no version, then any version is right', () => {
  expect(judgeWheel(facts({ wanted: { ...facts().wanted, version: null } }))).toEqual(judgeWheel(facts()));
});

test('given a name and metadata with two versions, then the finding is a warning', () => {
  expect(ofVersion('1.2.post1', '1.2', '1.2')).toEqual(['warning NAME_DIFFERS']);
});

test.each([
  ['cp312', ['warning WHEEL_FOR_ALL_PYTHONS']],
  [null, []],
])('given a wheel for all Pythons that is built for %s, then the findings match', (python, expected) =>
  expect(
    found({
      file: 'skiff-1.2-py3-none-any.whl',
      tags: ['py3-none-any'],
      wanted: { ...facts().wanted, python },
    }),
  ).toEqual(expected),
);

const ABI3 = 'skiff-1.2-cp39-abi3-manylinux_2_34_x86_64.whl';

test.each<[string, string, Partial<WheelFacts['wanted']>, readonly string[]]>([
  ['abi3, for all Pythons', ABI3, { python: null }, []],
  ['abi3, for a newer Python', ABI3, { python: 'cp312' }, ['warning WHEEL_FOR_ALL_PYTHONS']],
  [
    'abi3, for an older Python',
    ABI3.replace('cp39', 'cp313'),
    { python: 'cp312' },
    ['error PYTHON_TAG_DIFFERS', 'warning WHEEL_FOR_ALL_PYTHONS'],
  ],
  ['for one Python, declared for all', file, { python: null }, ['error WHEEL_FOR_ONE_PYTHON']],
  ['for one platform, declared for all', file, { everywhere: true }, ['error WHEEL_FOR_ONE_PLATFORM']],
  ['pure Python, declared for all', 'skiff-1.2-py3-none-any.whl', { python: null, everywhere: true }, []],
])('given a wheel that is %s, then the findings match', (_, name, wanted, expected) => {
  const tags = [name.slice('skiff-1.2-'.length, -'.whl'.length)];
  expect(found({ file: name, tags, wanted: { ...facts().wanted, ...wanted } })).toEqual(expected);
});

test.each([
  ['manylinux_2_34_x86_64', 'x86_64', []],
  ['manylinux_2_34_x86_64', 'aarch64', ['error NATIVE_ARCH_DIFFERS']],
  ['any', 'aarch64', ['warning NATIVE_IN_ANY']],
])('given a wheel tagged %s with machine code for %s, then its findings are %j', (tag, arch, expected) => {
  const native = {
    format: 'elf' as const,
    archs: [arch],
    glibc: null,
    musl: false,
    minOs: null,
    signed: null,
    needed: [],
    runPaths: [],
  };
  const natives = [{ member: 'skiff/_sail.so', facts: native }];
  expect(found({ file: `skiff-1.2-cp312-cp312-${tag}.whl`, tags: [`cp312-cp312-${tag}`], natives })).toEqual(expected);
});

test('given a builder path in compiled code, then the finding names -ffile-prefix-map as the fix', () =>
  expect(judgeWheel(facts({ paths: [hit({ member: 'a.so', in: 'code', line: null })] }))[0]!.next).toContain(
    '-ffile-prefix-map',
  ));

test('given a wheel that contains the commit of its source, then there is no finding', () =>
  expect(found({ commit: { file: 'v.py', present: true, found: 'c1', wanted: 'c1' } })).toEqual([]));

test('given a script with a builder path, then the finding names its lines, the effect and the fix', () => {
  const [finding] = judgeWheel(facts({ paths: [hit(), hit({ line: 6, path: '<Python>/lib' })] }));
  expect(finding).toMatchObject({
    subject: 'skiff-1.2.data/scripts/skiff',
    why: 'line 3 names <build environment>/bin/activate, line 6 names <Python>/lib; this folder exists only where it was built. The installed `skiff` command will fail.',
  });
  expect(finding!.next).toContain('overlay');
});

test('given an accepted finding, then it becomes a note with the reason', () => {
  const [accepted] = acceptFindings(judgeWheel(facts({ paths: [hit()] })), { BUILDER_PATH: 'a test reads it' });
  expect(accepted).toMatchObject({ level: 'note', code: 'BUILDER_PATH' });
  expect(accepted!.why).toMatch(/Accepted: a test reads it$/);
});
