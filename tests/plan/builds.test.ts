import { keyParts, tryKey } from '../../src/engine/cache/key-parts.js';
import type { StepOf } from '../../src/model/plan.js';
import { Profile } from '../../src/model/schema/profile.js';
import { HEAD as FROM_SDIST, idsOf, planOf, problemsOf, sha256, someFacts, stepOf } from './a-plan.js';

const HEAD = `slipway: 1
pipeline: { name: shelf, label: 'r-1' }
sources: { hull: { sdist: hull==1.0, sha256: ${'a'.repeat(64)} } }
platforms: [linux-x86_64, linux-aarch64]
pythons: [cp311, cp312]
`;
const wheel = (keys: string): string => `${HEAD}wheels: { hull: { source: hull${keys && `, ${keys}`} } }\n`;

test('given `lock: own`, then the wheel locks its own build requirements, and PyPA build is proved', () => {
  const plan = planOf(wheel(`lock: own, requires: ['setuptools<80'], cutoff: 2026-11-01`));
  expect(stepOf(plan, 'wheels/hull/cp311/linux-x86_64').params).toMatchObject({
    lock: { requires: ['setuptools<80'], cutoff: '2026-11-01T00:00:00Z' },
  });
  expect(stepOf(plan, 'prove/queue/linux-x86_64').params).toMatchObject({
    tools: expect.arrayContaining(['pyproject-build', 'uv']) as unknown,
  });
});

test('given `sameAs: first`, then the other variants follow the first as the file lists them', () => {
  const plan = planOf(wheel('sameAs: first'));
  const first = 'wheels/hull/cp311/linux-x86_64';
  expect(stepOf(plan, first).params).not.toHaveProperty('sameAs');
  const others = idsOf(plan, 'wheels').filter((id) => id !== first);
  expect(others).toHaveLength(3);
  for (const id of others) expect(stepOf(plan, id)).toMatchObject({ after: [first], params: { sameAs: first } });
});

test.each([
  [
    'that may serve other variants',
    'sameAs: first',
    (platform: string, python: string) => `${platform}/hull==1.0 for ${python} (file name from its build)`,
  ],
  [
    'of its own variant',
    'cutoff: 2026-11-01',
    (platform: string, python: string) => `${platform}/hull-1.0-${python}-${python}-*_${platform.slice(6)}.whl`,
  ],
])('given wheels %s, when effects are listed, then their names are no more than what is known', (_, keys, name) => {
  const text = `${wheel(`lock: own, ${keys}`)}publish: { cache: { kind: simple, files: ['wheels/*'], when: built } }\n`;
  const content = Profile.parse({ rehearsal: true, kinds: { simple: { address: 'service:wheels' } } });
  const names = planOf(text, { profile: { name: 'local', content } }).effects.map((effect) => effect.name);
  const wanted = ['linux-x86_64', 'linux-aarch64'].flatMap((platform) => [
    name(platform, 'cp311'),
    name(platform, 'cp312'),
  ]);
  expect(names.toSorted()).toEqual(wanted.toSorted());
});

test('given `retryFailed`, then its time is no part of the key of a try, nor of its step', () => {
  const built = (keys: string) => {
    const plan = planOf(wheel(keys));
    return { plan, step: stepOf(plan, 'wheels/hull/cp311/linux-x86_64') as StepOf<'buildWheel'> };
  };
  const keyOf = (keys: string): string => tryKey(built(keys).plan, built(keys).step, sha256);
  const partsOf = (keys: string) =>
    keyParts(built(keys).plan, built(keys).step, { inputs: [], toolchain: null, epoch: null });
  expect(partsOf('retryFailed: 7d')).toEqual(partsOf(''));
  expect(keyOf('retryFailed: 7d')).toBe(keyOf('retryFailed: 1d'));
  expect(keyOf('retryFailed: 7d')).toBe(keyOf(`retryFailed: 7d, accept: { RUNPATH: 'it is only a test' }`));
  expect(keyOf('retryFailed: 7d, env: { CFLAGS: -g0 }')).not.toBe(keyOf('retryFailed: 7d'));
});

test.each([
  ['requires without lock', `requires: [setuptools]`, 'wheels.hull.requires', /lock: own/],
  ['cutoff without lock', `cutoff: 2026-11-01`, 'wheels.hull.cutoff', /lock: own/],
  ['a builder with an environment of its own', `lock: own, builder: command, run: make`, 'wheels.hull.lock', /command/],
  ['a cut-off that is no day', `lock: own, cutoff: soon`, 'wheels.hull.cutoff', /a date/],
])('given %s, then it is refused at its key', (_, keys, path, why) => {
  expect(problemsOf(wheel(keys))).toContainEqual(
    expect.objectContaining({ code: 'WRONG_VALUE', path, message: expect.stringMatching(why) }),
  );
});

test('given a lock among needs besides, then it is refused', () => {
  const text = `${wheel('lock: own, needs: [deps/build]')}deps: { build: { requires: [setuptools] } }\n`;
  expect(problemsOf(text)).toMatchObject([{ path: 'wheels.hull.lock', message: expect.stringContaining('needs') }]);
});

const SHELF = `slipway: 1
pipeline: { name: shelf, label: 'r-1' }
sources: { hull: { sdist: hull==1.0, sha256: ${'a'.repeat(64)} } }
platforms:
  debian-12: { like: linux-x86_64, base: debian-12, libc: '2.36' }
  debian-13: { like: linux-x86_64, base: debian-13, libc: '2.41' }
bases:
  debian-12: { debian: bookworm, python: own, packages: [libxml2-dev] }
  debian-13: { debian: trixie, python: own }
`;
const onShelf = (wheels: string): string => `${SHELF}wheels:\n${wheels}`;
const PER_PLATFORM = `  hull:
    source: hull
    pythons: [cp311, cp313]
    exclude: [{ python: cp311, platform: debian-13 }, { python: cp313, platform: debian-12 }]
`;

describe('given platforms that have bases with their own Python', () => {
  const plan = planOf(onShelf(PER_PLATFORM));

  test('then each wheel is built in the base of its platform, by the Python of that', () => {
    expect(stepOf(plan, 'wheels/hull/cp313/debian-13')).toMatchObject({
      needs: ['source/hull', 'bases/of-platform/debian-13'],
      params: { where: { in: 'container', base: 'bases/of-platform/debian-13' }, ownPython: true },
    });
    expect(idsOf(plan, 'bases')).toEqual(['bases/of-platform/debian-12', 'bases/of-platform/debian-13']);
  });

  test('then a base has its packages, a compiler and the headers of its Python', () => {
    expect(stepOf(plan, 'bases/of-platform/debian-12').params).toMatchObject({
      name: 'debian-12',
      from: { debian: 'bookworm', packages: expect.arrayContaining(['gcc', 'libxml2-dev', 'python3-dev']) as unknown },
    });
  });

  test('then no worker needs these Pythons', () => {
    expect(stepOf(plan, 'prove/queue/linux-x86_64').params).toMatchObject({ pythons: [] });
  });

  test('then packages of an entry come to those of the base', () => {
    const made = planOf(onShelf(`${PER_PLATFORM}    packages: [libpq-dev]\n`));
    expect(stepOf(made, 'bases/wheels-hull/debian-13').params).toMatchObject({
      from: { debian: 'trixie', packages: expect.arrayContaining(['libpq-dev', 'python3-dev']) as unknown },
    });
    expect(stepOf(made, 'wheels/hull/cp313/debian-13').params).toMatchObject({
      ...{ ownPython: true, where: { base: 'bases/wheels-hull/debian-13' } },
    });
  });

  test('then an entry with a base of its own is built there', () => {
    const made = planOf(onShelf(`${PER_PLATFORM}    base: debian-12\n`));
    expect(stepOf(made, 'wheels/hull/cp313/debian-13').params).toMatchObject({ where: { base: 'bases/debian-12' } });
    expect(idsOf(made, 'bases')).toEqual(['bases/debian-12']);
  });
});

describe('given a platform whose base is an image', () => {
  const image = `sea@sha256:${'a'.repeat(64)}`;
  const over = (wheels: string) =>
    onShelf(`${wheels}    packages: [libpq-dev]\n`).replace(
      'debian: trixie, python: own',
      `image: '${image}', python: own`,
    );

  test('when an entry has packages for it, then they are refused: the distribution of the image is unknown', () => {
    expect(problemsOf(over(PER_PLATFORM))).toMatchObject([
      {
        ...{ code: 'WRONG_VALUE', path: 'wheels.hull.packages' },
        message: expect.stringContaining(`platforms.debian-13 has the base ${image}`) as string,
        next: expect.stringContaining('base: NAME') as string,
      },
    ]);
  });

  test('when the entry is not built there, then its packages go over the base of its own platform', () => {
    const made = planOf(
      over('  hull:\n    source: hull\n    pythons: [cp311]\n    exclude: [{ platform: debian-13 }]\n'),
    );
    expect(idsOf(made, 'bases')).toContain('bases/wheels-hull/debian-12');
  });
});

test.each([
  ['names no base of the file', 'base: debian-13', 'base: debian-31', 'UNKNOWN_NEED', 'platforms.debian-13.base'],
  ['has none beside another that has one', 'base: debian-13, ', '', 'WRONG_VALUE', 'platforms.debian-13'],
])('given a platform that %s, then it is refused at its key', (_, before, after, code, path) => {
  expect(problemsOf(onShelf(PER_PLATFORM).replace(before, after))).toContainEqual(
    expect.objectContaining({ code, path }),
  );
});

const ON = `on: linux-x86_64, packages: [gcc]`;
test.each([
  [
    'a cross build in a container',
    `wheels: { hull: { source: hull, cross: zig, ${ON} } }`,
    'wheels/hull/cp311/linux-aarch64',
    'zig',
    true,
  ],
  ['Maven in a container', `jars: { hull: { source: hull, ${ON} } }`, 'jars/hull', 'mvn', false],
])('given %s, then its key has the programs of the worker that run in it', (_, text, id, program, has) => {
  const queues = {
    'linux-x86_64': { window: 2, diskMiB: 0, tools: [], can: ['container' as const, 'cross' as const] },
  };
  const file = text.startsWith('jars') ? FROM_SDIST + text.replace('source: hull, ', '') : HEAD + text;
  const { tools = [] } = stepOf(planOf(`${file}\n`, { queues: { ...someFacts().queues, ...queues } }), id).uses ?? {};
  expect(tools).toContain('docker');
  expect(tools.includes(program)).toBe(has);
});

test.each([
  ['a relaxed lock', `deps: { a: { tool: relax, in: [a.lock] } }`, 'deps/a/cp311/linux-x86_64'],
  [
    'a test on the host',
    `tests: { a: { in: host, needs: [source], run: 'true', expect: ok, matrix: { python: [cp311] } } }`,
    'tests/a/cp311',
  ],
])('given %s, then its key has no Python', (_, text, id) => {
  const step = stepOf(planOf(`${FROM_SDIST}${text}\n`), id);
  expect(step.uses).toMatchObject({ pythons: [] });
});
