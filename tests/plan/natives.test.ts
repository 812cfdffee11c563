import type { Facts } from '../../src/plan/facts.js';
import { HEAD, idsOf, planOf as planWith, problemsOf as problemsWith, someFacts, stepOf } from './a-plan.js';
import type { StepOf } from '../../src/model/plan.js';
import { Platforms, Queues } from '../../src/model/schema/profile.js';
import { plannedCollisions, type Planned } from '../../src/plan/natives.js';

const queues = Queues.parse({
  control: { window: 8 },
  'linux-x86_64': { window: 2, can: ['host', 'container', 'cross'] },
  'linux-aarch64': { window: 2 },
});
const planOf = (text: string) => planWith(text, { queues });
const problemsOf = (text: string, facts: Partial<Facts> = {}) => problemsWith(text, { queues, ...facts });

const TWO = HEAD.replace('[linux-x86_64]', '[linux-x86_64, linux-aarch64]');
const NATIVE =
  "native: { builder: command, on: linux-x86_64, cross: zig, run: './build.sh {native} {out}', libraries: ['{out}/libskiff.*'] }";
const jars = (...entries: readonly string[]): string => `${TWO}jars:\n${entries.map((line) => `  ${line}\n`).join('')}`;
const ALL = jars(NATIVE, "skiff: { needs: ['jars/native[*]'], natives: { folder: 'native/{native}', wait: 30s } }");

describe('native libraries', () => {
  test('given two platforms, then they are built for each, and cross-built where the queue is another machine', () => {
    const made = planOf(ALL);
    expect(idsOf(made, 'jars')).toEqual(['jars/native/linux-aarch64', 'jars/native/linux-x86_64', 'jars/skiff']);
    const other = stepOf(made, 'jars/native/linux-aarch64') as StepOf<'buildNative'>;
    expect(other.on).toBe('linux-x86_64');
    expect(other.params).toMatchObject({
      run: './build.sh "${SLIPWAY_NATIVE}" "${SLIPWAY_OUT}"',
      vars: { SLIPWAY_NATIVE: 'linux-aarch_64' },
      cross: 'zig',
      inside: 'native/linux-aarch_64',
      place: `sdist/${'a'.repeat(64)}/jars/linux-aarch64/skiff-1.0-linux-aarch64.jar`,
    });
    expect((stepOf(made, 'jars/native/linux-x86_64') as StepOf<'buildNative'>).params.cross).toBeNull();
  });

  test('given a JAR that needs them, then it collects them, with its waiting time', () => {
    const { params, limitMs } = stepOf(planOf(ALL), 'jars/skiff') as StepOf<'buildJar'>;
    expect(limitMs).toBe(3_600_000 + 30_000);
    expect(params.natives).toEqual({
      as: 'resources',
      module: null,
      waitMs: 30_000,
      from: ['linux-aarch64', 'linux-x86_64'].map((platform) => ({
        for: expect.objectContaining({ name: platform, native: platform.replace('aarch64', 'aarch_64') }),
        folder: `native/${platform.replace('aarch64', 'aarch_64')}`,
        path: `sdist/${'a'.repeat(64)}/jars/${platform}/skiff-1.0-${platform}.jar`,
        step: `jars/native/${platform}`,
      })),
    });
  });

  test('when another pipeline builds them, then they are expected under the same path', () => {
    const one = ALL.replace('cross: zig,', 'cross: zig, platforms: [linux-x86_64],').replace(
      'wait: 30s',
      'platforms: [linux-aarch64]',
    );
    const { params } = stepOf(planOf(one), 'jars/skiff') as StepOf<'buildJar'>;
    expect(params.natives!.from.map(({ path, step }) => [path.split('/').at(-1), step])).toEqual([
      ['skiff-1.0-linux-aarch64.jar', null],
      ['skiff-1.0-linux-x86_64.jar', 'jars/native/linux-x86_64'],
    ]);
  });

  test('when a pattern publishes JARs, then they are left out; by name they need coordinates', () => {
    const published = (files: string, text = ALL) => `${text}publish:\n  maven: { kind: maven, files: [${files}] }\n`;
    expect(idsOf(planOf(published("'jars/*'")), 'publish')).toEqual(['publish/maven/jars.skiff']);
    expect(problemsOf(published('jars/native'))).toMatchObject([
      { code: 'WRONG_VALUE', message: expect.stringContaining('has no coordinates') },
      { code: 'WRONG_VALUE' },
    ]);
    const named = published(
      'jars/native',
      ALL.replace('cross: zig,', "cross: zig, artifact: 'org.skiff:skiff-native',"),
    );
    expect(idsOf(planOf(named), 'publish')).toHaveLength(2);
  });
});

describe('one folder for two arches', () => {
  const ray = ALL.replace('native/{native}', 'native/{os}');

  test('given resources, then it is refused with both paths and both platforms', () => {
    expect(problemsOf(ray)).toMatchObject([
      {
        code: 'NATIVE_COLLISION',
        path: 'jars.skiff.natives',
        message: expect.stringMatching(
          /native\/linux\/libskiff\.\* of linux-aarch64 and native\/linux\/libskiff\.\* of linux-x86_64/,
        ),
      },
    ]);
  });

  test('given classifiers, then it is refused too', () => {
    const { 'linux-x86_64': row } = someFacts().platforms;
    const platforms = Platforms.parse({ 'linux-x86_64': row, 'linux-aarch64': row });
    const text = ALL.replace('wait: 30s', 'as: classifier');
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text, { platforms })).toMatchObject([{ code: 'NATIVE_COLLISION' }]);
  });

  const ref = (platform: string, os: string, name: string, folder = 'native'): Planned => ({
    for: { name: platform, os, arch: '', libc: null, wheel: '', native: platform, oci: null, accelerator: 'none' },
    folder,
    names: [name],
    path: platform,
    step: null,
  });
  test.each<[string, Planned, Planned, number]>([
    ['one name', ref('a', 'linux', 'x.so'), ref('b', 'linux', 'x.so'), 1],
    ['one name on two systems', ref('a', 'linux', 'x.so'), ref('b', 'macos', 'x.so'), 1],
    ['names that differ in case', ref('a', 'linux', 'x.so'), ref('b', 'linux', 'X.so'), 1],
    ['one pattern on one system', ref('a', 'linux', 'x.*'), ref('b', 'linux', 'x.*'), 1],
    ['one pattern on two systems', ref('a', 'linux', 'x.*'), ref('b', 'macos', 'x.*'), 0],
    ['two names', ref('a', 'linux', 'x.so'), ref('b', 'linux', 'y.so'), 0],
    ['two folders', ref('a', 'linux', 'x.so'), ref('b', 'linux', 'x.so', 'other'), 0],
  ])('given %s, then the collisions are counted', (_, a, b, expected) => {
    expect(plannedCollisions('skiff', [a, b])).toHaveLength(expected);
  });
});

test.each([
  ['natives of nothing', jars("skiff: { natives: 'native/{native}' }"), /needs no entry that builds some/],
  ['libraries by Maven', jars("native: { libraries: ['*.so'] }"), /built by a command/],
  ['a key itself', jars('skiff: { sign: secret }'), /named, never written/],
])('given %s, then it is refused', (_, text, expected) => {
  expect(
    problemsOf(text)
      .map(({ message }) => message)
      .join('\n'),
  ).toMatch(expected);
});

test('given a JAR that is signed, then the signature is a step of its own, published with the JAR', () => {
  const made = planOf(`${jars('skiff: { sign: $GPG_KEY }')}publish:\n  maven: { kind: maven, files: [jars/skiff] }\n`);
  expect(stepOf(made, 'signatures/skiff')).toMatchObject({
    kind: 'signFiles',
    on: 'control',
    needs: ['jars/skiff'],
    params: { key: '$GPG_KEY', passphrase: null },
  });
  expect(stepOf(made, 'publish/maven/jars.skiff').params).toMatchObject({ of: ['jars/skiff', 'signatures/skiff'] });
  expect(stepOf(made, 'prove/key/GPG_KEY')).toMatchObject({ kind: 'proveKey', stage: 'prove' });
  expect(stepOf(made, 'source/skiff').wants).toContain('prove/key/GPG_KEY');
});
