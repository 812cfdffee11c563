import { planFault } from '../../src/model/schema/plan.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { withoutUnserved } from '../../src/plan/unserved.js';
import { HEAD, planOf, problemsOf, sha256, someFacts, stepOf } from './a-plan.js';

const TWO = HEAD.replace(
  'platforms: [linux-x86_64]',
  'platforms: { linux-x86_64: {}, linux-aarch64: { unserved: wait 4h } }',
);
const SECTIONS = `wheels: { skiff: {} }
tests:
  plain: { needs: [wheels/skiff], run: 'true', expect: ok }
  gpu: { needs: ['wheels/skiff[python=cp312,platform=linux-x86_64]'], on: gpu, unserved: drop, run: 'true', expect: ok }
`;

test("given `unserved` in an entry and in its platform, then the entry's answer wins", () => {
  const made = planOf(`${TWO}wheels: { skiff: {}, other: { unserved: fail } }\n`);
  const answer = (id: string) => stepOf(made, id).unserved;
  expect(answer('wheels/skiff/cp311/linux-aarch64')).toEqual({
    answer: 'wait',
    limitMs: 4 * 3_600_000,
    said: 'platforms.linux-aarch64',
  });
  expect(answer('wheels/other/cp311/linux-aarch64')).toEqual({ answer: 'fail', said: 'wheels.other' });
  expect(answer('wheels/skiff/cp311/linux-x86_64')).toBeUndefined();
  expect(planFault(made)).toBeNull();
});

test('given a platform with `unserved`, then it does not apply to steps built on other machines', () => {
  const made = planOf(`${TWO}wheels: { skiff: { on: linux-x86_64 } }\n`);
  expect(stepOf(made, 'wheels/skiff/cp311/linux-aarch64')).toMatchObject({ on: 'linux-x86_64' });
  expect(stepOf(made, 'wheels/skiff/cp311/linux-aarch64').unserved).toBeUndefined();
});

test('given an unserved queue, when steps may be dropped, then they, their proof and their edges are removed', () => {
  const made = planOf(`${HEAD}${SECTIONS}`);
  const { plan, refused } = withoutUnserved(made, ['gpu']);
  expect(refused).toEqual([]);
  const { kind, on, axes, needs } = stepOf(made, 'tests/gpu');
  expect(plan.dropped).toEqual([
    {
      id: 'tests/gpu',
      because: 'nobody serves the queue gpu (tests.gpu.unserved: drop)',
      was: { kind, on, axes, needs },
    },
  ]);
  const gone = made.steps.map(({ id }) => id).filter((id) => !plan.steps.some((step) => step.id === id));
  expect(gone).toEqual(['prove/queue/gpu', 'tests/gpu']);
  const { steps } = skeletonOf(plan, sha256('plan'), someFacts().queues);
  for (const { needs, wants, after } of steps)
    expect([...needs, ...wants, ...after].every((edge) => edge < steps.length)).toBe(true);
});

test('given a dropped step, then steps that need it are dropped too, and are not published', () => {
  const text = `${HEAD.replace('platforms: [linux-x86_64]', 'platforms: { linux-x86_64: {}, linux-aarch64: { unserved: drop } }')}wheels: { skiff: { pythons: [cp311] } }
images: { skiff: { needs: [wheels/skiff], tags: ['{version}-{platform}'] } }
publish: { hub: { kind: oci, files: [images/skiff], repository: a/skiff } }
`;
  const { plan, refused } = withoutUnserved(planOf(text), ['linux-aarch64']);
  expect(refused).toEqual([]);
  expect(plan.dropped.map(({ id }) => id).filter((id) => id.startsWith('publish/'))).toEqual([
    'publish/hub/images.skiff.cp311.linux-aarch64',
  ]);
  expect(plan.effects.map(({ name }) => name)).toEqual(['a/skiff:1.0-linux-x86_64']);
  expect(plan.steps.some(({ on }) => on === 'linux-aarch64')).toBe(false);
});

test('given a chain behind a dropped step, then each reason names the step before it and the first cause', () => {
  const text = `${HEAD}steps:
  a: { needs: [steps/b], run: 'true' }
  b: { needs: [steps/c], run: 'true' }
  c: { on: gpu, unserved: drop, run: 'true' }
`;
  const { dropped } = withoutUnserved(planOf(text), ['gpu']).plan;
  const cause = 'nobody serves the queue gpu (steps.c.unserved: drop)';
  expect(dropped.map(({ id, because }) => [id, because])).toEqual([
    ['steps/a', `needs steps/b, which is left out: ${cause}`],
    ['steps/b', `needs steps/c, which is left out: ${cause}`],
    ['steps/c', cause],
  ]);
});

test('given an unserved queue, then `wait` is accepted, and `fail` or no answer is refused', () => {
  const made = planOf(`${TWO}${SECTIONS}`);
  expect(withoutUnserved(made, ['linux-aarch64', 'gpu']).refused).toEqual([]);
  const mixed = planOf(`${TWO}wheels: { skiff: {}, other: { unserved: fail } }\n`);
  expect(withoutUnserved(mixed, ['linux-aarch64']).refused).toEqual(['linux-aarch64']);
  expect(withoutUnserved(made, ['linux-x86_64']).refused).toEqual(['linux-x86_64']);
  expect(withoutUnserved(made, []).plan).toBe(made);
});

test('given a queue that is waited for, then only its own steps want its proof', () => {
  const { plan } = withoutUnserved(planOf(`${TWO}${SECTIONS}`), ['linux-aarch64']);
  for (const { id, on, stage, wants } of plan.steps.filter((step) => step.stage !== 'prove'))
    expect([id, stage !== 'report' && wants.includes('prove/queue/linux-aarch64')]).toEqual([
      id,
      on === 'linux-aarch64',
    ]);
});

test.each([['sometimes'], ['wait 4'], ['wait 30d'], ['drop 4h']])(
  'given `unserved: %s`, then it is refused',
  (answer) => {
    expect(problemsOf(`${HEAD}wheels: { skiff: { unserved: ${answer} } }\n`)).toMatchObject([
      { code: 'WRONG_VALUE', path: 'wheels.skiff.unserved' },
    ]);
  },
);

test('given a queue without containers, then a step that needs one is refused', () => {
  const facts = someFacts();
  const queues = { ...facts.queues, 'linux-x86_64': { window: 1, diskMiB: 0, can: ['host' as const], tools: [] } };
  expect(problemsOf(`${HEAD}images: { skiff: {} }\n`, { queues })).toMatchObject([
    { code: 'QUEUE_CANNOT', path: 'images.skiff' },
  ]);
});

test.each([
  ['its own base', 'packages: [zlib1g-dev]', 'bases/wheels-skiff/linux-aarch64'],
  ['a base of the file', 'base: sea', 'bases/sea/linux-aarch64'],
  ['its preparation', 'prepare: { run: make }', 'prepare/skiff'],
])('given an entry with %s, then that step has the same answer', (_, said, helper) => {
  const head = HEAD.replace('[linux-x86_64]', '[linux-aarch64, linux-x86_64]');
  const made = (answer: string, others = '') =>
    planOf(
      `${head}bases: { sea: { debian: bookworm } }\nwheels: { skiff: { unserved: ${answer}, ${said} }${others} }\nsteps: { chart: { run: make, on: linux-x86_64 } }\n`,
    );
  expect(stepOf(made('wait 4h'), helper).unserved).toMatchObject({ answer: 'wait', said: 'wheels.skiff' });
  expect(withoutUnserved(made('wait 4h'), ['linux-aarch64']).refused).toEqual([]);
  const { plan, refused } = withoutUnserved(made('drop'), ['linux-aarch64']);
  expect(refused).toEqual([]);
  expect(plan.dropped.map(({ id }) => id)).toContain(helper);
  expect(stepOf(made('fail'), helper).unserved).toBeUndefined();
});

test('given a base that a step without an answer also needs, then it is not dropped', () => {
  const head = HEAD.replace('[linux-x86_64]', '[linux-aarch64, linux-x86_64]');
  const made = planOf(
    `${head}bases: { sea: { debian: bookworm } }\nwheels: { skiff: { unserved: drop, base: sea }, other: { base: sea } }\n`,
  );
  expect(withoutUnserved(made, ['linux-aarch64']).refused).toEqual(['linux-aarch64']);
});
