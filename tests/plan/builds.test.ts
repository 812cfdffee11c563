import { tryKey } from '../../src/engine/cache/try-key.js';
import type { StepOf } from '../../src/model/plan.js';
import { idsOf, planOf, problemsOf, sha256, stepOf } from './a-plan.js';

const HEAD = `slipway: 1
pipeline: { name: shelf, label: 'r-1' }
sources: { hull: { sdist: hull==1.0, sha256: ${'a'.repeat(64)} } }
platforms: [linux-x86_64, linux-aarch64]
pythons: [cp311, cp312]
`;
const wheel = (keys: string): string => `${HEAD}wheels: { hull: { source: hull, ${keys} } }\n`;

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

test('given `retryFailed`, then its time is no part of the key of a try', () => {
  const keyOf = (keys: string): string => {
    const plan = planOf(wheel(keys));
    return tryKey(plan, stepOf(plan, 'wheels/hull/cp311/linux-x86_64') as StepOf<'buildWheel'>, sha256);
  };
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
