/** @needs tools */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsBin } from '../../src/adapters/home.js';
import { manylinuxFloors } from '../../src/plan/floors.js';
import { planFault } from '../../src/model/schema/plan.js';
import { HEAD, idsOf, planOf, problemsOf, someFacts, stepOf } from './a-plan.js';

const CROSS_QUEUE = {
  window: 2,
  diskMiB: 0,
  tools: [],
  can: ['host' as const, 'container' as const, 'cross' as const],
};
const facts = { queues: { ...someFacts().queues, 'linux-x86_64': CROSS_QUEUE } };
const withPlatforms = (platforms: string): string => HEAD.replace('[linux-x86_64]', platforms);
const THREE = withPlatforms(
  "{ linux-aarch64: {}, linux-x86_64: {}, linux-x86_64-old: { like: linux-x86_64, libc: '2.17' } }",
);
const CROSSED = `${THREE}wheels: { skiff: { cross: zig, on: linux-x86_64, pythons: [cp311] } }\n`;

describe('cross: zig', () => {
  const made = planOf(CROSSED, facts);
  const wheel = (platform: string) => stepOf(made, `wheels/skiff/cp311/${platform}`);

  test('given a named queue, then wheels for other machines are built there', () => {
    expect(planFault(made)).toBeNull();
    expect(wheel('linux-x86_64')).toMatchObject({ on: 'linux-x86_64', params: { cross: null, for: { libc: null } } });
    for (const platform of ['linux-aarch64', 'linux-x86_64-old'])
      expect(wheel(platform)).toMatchObject({
        on: 'linux-x86_64',
        params: { cross: 'zig', for: { name: platform, libc: { name: 'glibc', floor: '2.17' } } },
      });
  });

  test('given its queue, then the proof asks for zig, no native compiler of the target, and cross-building', () => {
    expect(stepOf(made, 'prove/queue/linux-x86_64').params).toMatchObject({
      tools: expect.arrayContaining(['zig', 'gcc']),
      can: ['cross', 'sandbox'],
    });
    const alone = planOf(CROSSED.replace('pythons: [cp311]', 'platforms: [linux-aarch64]'), facts);
    const { tools } = stepOf(alone, 'prove/queue/linux-x86_64').params as { tools: readonly string[] };
    expect(tools).toContain('zig');
    expect(tools).not.toContain('gcc');
    expect(idsOf(alone, 'prove')).toEqual(['prove/queue/control', 'prove/queue/linux-x86_64']);
  });

  test('given a queue that cannot cross-build, or Windows, then it is refused', () => {
    expect(problemsOf(CROSSED.replace('on: linux-x86_64', 'on: gpu'), facts)).toMatchObject([
      { code: 'QUEUE_CANNOT', path: 'wheels.skiff', message: expect.stringContaining('compilers for another machine') },
    ]);
    const windows = { ...someFacts().platforms['linux-x86_64']!, os: 'windows', queue: 'windows' };
    expect(
      problemsOf(withPlatforms('[linux-x86_64, win]') + 'wheels: { skiff: { cross: zig, pythons: [cp311] } }\n', {
        queues: facts.queues,
        platforms: { ...someFacts().platforms, win: windows },
      }),
    ).toMatchObject([
      { code: 'CROSS_CANNOT', path: 'wheels.skiff.cross', message: 'cross: zig does not build for win' },
    ]);
  });

  test('given no `on`, then a queue that can cross-build is chosen', () => {
    const somewhere = planOf(CROSSED.replace('on: linux-x86_64, ', ''), facts);
    expect(stepOf(somewhere, 'wheels/skiff/cp311/linux-aarch64').on).toBe('linux-x86_64');
  });
});

test('given `cross: gcc`, then the proof asks for that compiler, and no C library is promised', () => {
  const made = planOf(CROSSED.replace('zig', 'gcc'), facts);
  expect(stepOf(made, 'wheels/skiff/cp311/linux-aarch64').params).toMatchObject({ cross: 'gcc', for: { libc: null } });
  expect(stepOf(made, 'prove/queue/linux-x86_64').params).toMatchObject({
    tools: expect.arrayContaining(['aarch64-linux-gnu-gcc']),
  });
});

test('given a platform with `like`, then it inherits all keys that it does not set', () => {
  const made = planOf(CROSSED, facts);
  expect(stepOf(made, 'wheels/skiff/cp311/linux-x86_64-old').params).toMatchObject({
    for: { arch: 'x86_64', wheel: '*manylinux_2_17_x86_64', native: 'linux-x86_64', oci: 'linux/amd64' },
  });
});

test('given a platform and an older variant of it, then their wheels are published under two names', () => {
  const text = `${CROSSED}publish: { index: { kind: python, files: [wheels/skiff] } }\n`;
  expect(planOf(text, facts).effects.map(({ name }) => name)).toEqual([
    'skiff-1.0-cp311-cp311-*_aarch64.whl',
    'skiff-1.0-cp311-cp311-*_x86_64.whl',
    'skiff-1.0-cp311-cp311-*manylinux_2_17_x86_64.whl',
  ]);
});

test.each([
  ['{ linux-riscv64: {} }', 'UNKNOWN_PLATFORM', 'platforms.linux-riscv64'],
  ['{ old: { like: linux-x86 } }', 'UNKNOWN_PLATFORM', 'platforms.old.like'],
  ['{ linux-x86_64: { like: linux-x86 } }', 'UNKNOWN_PLATFORM', 'platforms.linux-x86_64.like'],
  [
    '{ linux-x86_64: {}, old: { like: older }, older: { like: linux-x86_64 } }',
    'UNKNOWN_PLATFORM',
    'platforms.old.like',
  ],
  ["{ linux-x86_64: { libc: '2.017' } }", 'WRONG_VALUE', 'platforms.linux-x86_64.libc'],
  ['{ linux-x86_64: { libc: 2.17 } }', 'QUOTE_IT', 'platforms.linux-x86_64.libc'],
  ["{ linux-x86_64: { libc: 'two' } }", 'WRONG_VALUE', 'platforms.linux-x86_64.libc'],
])('given platforms %s, then the problem is %s', (platforms, code, path) =>
  expect(problemsOf(withPlatforms(platforms))).toMatchObject([{ code, path }]),
);

describe('a libc floor that auditwheel has no tag for', () => {
  const withFloor = (floor: string, wheel = '{}'): string =>
    `${withPlatforms(`{ linux-x86_64: { libc: '${floor}' } }`)}wheels: { skiff: ${wheel} }\n`;

  test('given several Pythons, then it is refused once, unless wheels are not repaired', () => {
    expect(problemsOf(withFloor('2.18'))).toMatchObject([
      {
        code: 'FLOOR_WITHOUT_POLICY',
        class: 'config',
        path: 'platforms.linux-x86_64.libc',
        next: expect.stringContaining('2.5, 2.12, 2.17'),
      },
    ]);
    expect(problemsOf(withFloor('2.18', '{ repair: false }'))).toEqual([]);
    expect(problemsOf(withFloor('2.28'))).toEqual([]);
  });

  test('given the pinned auditwheel, then it is any version missing in its policies', () => {
    const [python] = readdirSync(join(toolsBin(), '..', 'lib')).filter((name) => name.startsWith('python3'));
    const file = join(toolsBin(), '..', 'lib', python!, 'site-packages/auditwheel/policy/manylinux-policy.json');
    const policies = JSON.parse(readFileSync(file, 'utf8')) as { name: string; symbol_versions: object }[];
    for (const arch of ['x86_64', 'aarch64'])
      expect(manylinuxFloors(arch)).toEqual(
        policies
          .filter(({ symbol_versions: machines }) => arch in machines)
          .map(({ name }) => name.replace('manylinux_', '').replace('_', '.')),
      );
  });
});

test('given several platforms, then a served queue that can cross-build precedes one that may be dropped', () => {
  const made = planOf(
    `${withPlatforms('{ linux-aarch64: { unserved: drop }, linux-x86_64: {} }')}deps: { build: { requires: [x] } }\n`,
    facts,
  );
  expect(stepOf(made, 'deps/build/cp311/linux-aarch64').on).toBe('linux-x86_64');
});

describe('one wheel for all Pythons', () => {
  const text = `${withPlatforms('[linux-x86_64, linux-aarch64]')}wheels:
  pure: { python: none, platform: none }
  core: { python: none, cross: zig }
tests:
  pure: { needs: [wheels/pure], run: 'true', expect: ok }
  both: { needs: [wheels/pure, wheels/core], run: 'true', expect: ok, platforms: [linux-x86_64] }
`;
  const made = planOf(text.replace(', platforms: [linux-x86_64] }', ', matrix: { platform: [linux-x86_64] } }'), facts);

  test('given several Pythons, then it is built once, with the oldest', () => {
    expect(idsOf(made, 'wheels')).toEqual(['wheels/core/linux-aarch64', 'wheels/core/linux-x86_64', 'wheels/pure']);
    expect(stepOf(made, 'wheels/pure').params).toMatchObject({ python: null, interpreter: 'cp311', everywhere: true });
    expect(stepOf(made, 'prove/queue/linux-x86_64').params).toMatchObject({
      pythons: expect.arrayContaining(['cp311']),
    });
  });

  test('given several Pythons, then it is tested with each', () => {
    expect(idsOf(made, 'tests')).toEqual([
      'tests/both/cp311/linux-x86_64',
      'tests/both/cp312/linux-x86_64',
      'tests/pure/cp311',
      'tests/pure/cp312',
    ]);
    expect(stepOf(made, 'tests/both/cp312/linux-x86_64')).toMatchObject({
      params: { python: 'cp312' },
      needs: ['wheels/pure', 'wheels/core/linux-x86_64'],
    });
  });
});

describe('deps by pip-tools', () => {
  const DEPS = `${withPlatforms('[linux-x86_64, linux-aarch64]')}deps: { base: { tool: pip-tools, requires: [x], skip: { linux-aarch64: it is unavailable there } } }
`;

  test('given platforms, then they are locked on machines of each, and skipped ones have a reason', () => {
    const made = planOf(DEPS, facts);
    expect(idsOf(made, 'deps')).toEqual(['deps/base/cp311/linux-x86_64', 'deps/base/cp312/linux-x86_64']);
    expect(made.dropped).toContainEqual({
      id: 'deps/base/cp311/linux-aarch64',
      because: 'deps.base.skip: it is unavailable there',
    });
    expect(stepOf(made, 'prove/queue/linux-x86_64').params).toMatchObject({ tools: ['pip-compile', 'uv'] });
    const everywhere = planOf(DEPS.replace(', skip: { linux-aarch64: it is unavailable there }', ''), facts);
    expect(stepOf(everywhere, 'deps/base/cp311/linux-aarch64').on).toBe('linux-aarch64');
  });

  test('given a cutoff, then they are refused', () => {
    expect(problemsOf(DEPS.replace('requires: [x]', 'requires: [x], cutoff: 2026-11-01'), facts)).toMatchObject([
      { code: 'CUTOFF_UNKNOWN', path: 'deps.base.cutoff' },
    ]);
  });
});

test('given cibuildwheel, then it needs a container and cannot cross-build', () => {
  const said = (wheel: string) => problemsOf(`${HEAD}wheels: { skiff: { builder: cibuildwheel${wheel} } }\n`, facts);
  expect(said('')).toMatchObject([{ path: 'wheels.skiff', message: expect.stringContaining('no base is named') }]);
  expect(said(', packages: [gcc], cross: zig')).toMatchObject([{ path: 'wheels.skiff.cross' }]);
  const made = planOf(`${HEAD}wheels: { skiff: { builder: cibuildwheel, packages: [gcc] } }\n`, facts);
  expect(stepOf(made, 'wheels/skiff/cp311/linux-x86_64').params).toMatchObject({
    builder: 'cibuildwheel',
    where: { in: 'container', base: 'bases/wheels-skiff' },
  });
  expect(stepOf(made, 'prove/queue/linux-x86_64').params).toMatchObject({
    tools: expect.arrayContaining(['cibuildwheel', 'docker']),
  });
});

test('given a preparation for wheels of several platforms, then it runs once, in one container', () => {
  const made = planOf(
    `${withPlatforms('[linux-x86_64, linux-aarch64]')}wheels: { skiff: { cross: zig, packages: [file], prepare: { run: 'true' } } }\n`,
    facts,
  );
  expect(idsOf(made, 'prepare')).toEqual(['prepare/skiff']);
  const { where } = stepOf(made, 'wheels/skiff/cp311/linux-aarch64').params as { where: unknown };
  expect(where).toEqual({ in: 'container', base: 'bases/wheels-skiff/linux-x86_64' });
  expect(stepOf(made, 'prepare/skiff').params).toMatchObject({ where });
});
