/** @slow */
import { createMakePlan } from '../../../src/activities/plan/make-plan.js';
import type { Fleet, Planner } from '../../../src/activities/plan/ports.js';
import { skeletonOf } from '../../../src/plan/skeleton.js';
import { HEAD, planOf, sha256, someFacts } from '../../plan/a-plan.js';

const made = planOf(`${HEAD}steps:\n  x: { run: 'true' }\n`);
const digest = sha256('plan');

const fakePlanner: Planner = {
  submit: async (file, profile) => ({
    plan: { ...made, profile: { name: profile, rehearsal: true } },
    digest: sha256(file),
  }),
  isOrdered: async ({ file }) => file === '/ours/slipway.yaml',
  span: async () => ({ pipeline: 'skiff', commits: [] }),
  load: async () => made,
  doneBefore: async () => null,
  keep: async (plan) => sha256(JSON.stringify(plan.dropped.map(({ id, because }) => ({ id, because })))),
  skeleton: async (plan, name) => skeletonOf(plan, name, someFacts().queues),
  durations: async () => [],
};

const SINCE = 1_000;
const fakeFleet = (...gone: readonly string[]): Fleet => ({
  unserved: async (queues) => queues.filter((queue) => gone.includes(queue)).map((queue) => ({ queue, since: SINCE })),
  slots: async (queues) =>
    Object.fromEntries(queues.filter((queue) => !gone.includes(queue)).map((queue) => [queue, 2])),
});
const makePlan = createMakePlan(fakePlanner, fakeFleet());
const input = { run: 'r', workflowId: 'rehearsal/skiff/1.0' };

test("given a release file, then it is planned and submitted on the worker's host", async () => {
  expect(await makePlan({ ...input, file: '/x/slipway.yaml' })).toMatchObject({
    plan: sha256('/x/slipway.yaml'),
    name: 'skiff',
    rehearsal: true,
  });
});

test('given a plan in the store, then it is used', async () => {
  expect((await makePlan({ ...input, plan: digest })).plan).toBe(digest);
});

test.each([
  ['another workflow id', { plan: digest, workflowId: 'rehearsal/skiff/2.0' }, 'WORKFLOW_ID_MISMATCH'],
  ['a live id for a rehearsal', { plan: digest, workflowId: 'release/skiff/1.0' }, 'WORKFLOW_ID_MISMATCH'],
  ['no input', {}, 'RELEASE_INPUT_EMPTY'],
  ['a file by a relative path', { file: 'slipway.yaml' }, 'RELEASE_FILE_RELATIVE'],
  ['a number for a file', { file: 5 as unknown as string }, 'RELEASE_INPUT_EMPTY'],
  [
    'options that no key signed',
    { file: '/x/slipway.yaml', given: { wheels: { ray: 'a:fork' } } },
    'SCHEDULE_NOT_SIGNED',
  ],
  [
    'a commit among signed options',
    { file: '/ours/slipway.yaml', given: { commit: 'f' } as object },
    'SCHEDULE_MALFORMED',
  ],
  ['a text for options', { file: '/ours/slipway.yaml', given: 'all' as unknown as object }, 'SCHEDULE_MALFORMED'],
  [
    'options nested too deep',
    { file: '/ours/slipway.yaml', given: { tests: { only: [['x']] } } as object },
    'SCHEDULE_MALFORMED',
  ],
  ['a number for a profile', { file: '/x/slipway.yaml', profile: 5 as unknown as string }, 'PROFILE_NOT_A_NAME'],
  ['a plan by another name', { plan: 'latest' as typeof digest }, 'PLAN_NOT_A_DIGEST'],
])('given %s, then it is refused', async (_, more, code) => {
  await expect(makePlan({ ...input, ...more })).rejects.toMatchObject({ problems: [{ code, class: 'config' }] });
});

test('given a pipeline started by a Schedule, then it keeps its workflow id', async () => {
  const planner: Planner = { ...fakePlanner, load: async () => ({ ...made, pipeline: true }) };
  const workflowId = 'pipeline/skiff-2026-11-22T02:00:00Z';
  const answer = await createMakePlan(planner, fakeFleet())({ ...input, workflowId, plan: digest });
  expect(answer).toMatchObject({ pipeline: true, version: '1.0' });
});

test('given an invalid plan, then it is refused with a code', async () => {
  const broken = { ...made, steps: made.steps.map((step) => ({ ...step, params: { run: 5 } })) };
  const planner: Planner = { ...fakePlanner, load: async () => broken as unknown as typeof made };
  await expect(createMakePlan(planner, fakeFleet())({ ...input, plan: digest })).rejects.toMatchObject({
    problems: [{ code: 'PLAN_NOT_A_PLAN', message: expect.stringContaining('steps.0.params') }],
  });
});

test('given a plan with too many steps, then it is refused before workers are asked', async () => {
  const huge = { ...made, steps: Array.from({ length: 20_001 }, () => made.steps[0]!) };
  const planner: Planner = { ...fakePlanner, submit: async () => ({ plan: huge, digest }) };
  const fleet: Fleet = {
    unserved: () => Promise.reject(new Error('the fleet was asked')),
    slots: () => Promise.reject(new Error('the fleet was asked')),
  };
  await expect(createMakePlan(planner, fleet)({ ...input, file: '/x/slipway.yaml' })).rejects.toMatchObject({
    problems: [{ code: 'PLAN_TOO_LARGE', next: expect.stringContaining('Split the release') }],
  });
});

const NEEDED = 2500;
test.each([
  ['many edges without a pattern, which do not compress', 3000, (at: number) => at % 8 === 0],
  ['more edges than a workflow should read', 1000, () => true],
])('given %s, then the plan is refused with a way to make it smaller', async (_, users, isNeeded) => {
  const [first] = made.steps;
  const bare = (id: string) => ({ ...first!, id, needs: [] as string[], wants: [], after: [], toolchain: null });
  const needed = Array.from({ length: NEEDED }, (__, no) => bare(`steps/a/${no}`));
  let at = 0;
  const chance = () => isNeeded((at = (at * 48_271 + 1) % 2_147_483_647));
  const others = Array.from({ length: users }, (__, no) => ({
    ...bare(`steps/b/${no}`),
    needs: needed.flatMap(({ id }) => (chance() ? [id] : [])),
  }));
  const dense = { ...made, steps: [...needed, ...others] };
  const planner: Planner = { ...fakePlanner, submit: async () => ({ plan: dense, digest }) };
  await expect(createMakePlan(planner, fakeFleet())({ ...input, file: '/x/slipway.yaml' })).rejects.toMatchObject({
    problems: [
      {
        code: 'PLAN_TOO_DENSE',
        class: 'config',
        message: expect.stringMatching(/has \d{6,7} edges/),
        next: expect.stringMatching(/one step between.*steps\/b\//),
      },
    ],
  });
});

test('given an unserved queue, then it is reported before any step waits', async () => {
  const unserved = createMakePlan(fakePlanner, fakeFleet('linux-x86_64'));
  await expect(unserved({ ...input, plan: digest })).rejects.toMatchObject({
    problems: [
      {
        code: 'QUEUE_UNSERVED',
        path: 'steps.x.on',
        message: expect.stringContaining('linux-x86_64, and steps/x would'),
      },
    ],
  });
});

test('given a worker that starts beside the run, when it polls some seconds later, then the run is not refused', async () => {
  let looks = 0;
  const fleet: Fleet = {
    ...fakeFleet(),
    unserved: (queues) => fakeFleet(...(++looks < 5 ? ['linux-x86_64'] : [])).unserved(queues),
  };
  expect(await createMakePlan(fakePlanner, fleet)({ ...input, plan: digest })).toMatchObject({ plan: digest });
  expect(looks).toBe(5);
});

test('given an unserved queue and a step that may be dropped, then it is dropped, and the new plan is stored', async () => {
  const load = async () =>
    planOf(`${HEAD}steps:\n  x: { run: 'true' }\n  y: { run: 'true', on: gpu, unserved: drop }\n`);
  const fit = createMakePlan({ ...fakePlanner, load }, fakeFleet('gpu'));
  const skeleton = await fit({ ...input, plan: digest });
  expect(skeleton.dropped).toEqual([
    { id: 'steps/y', because: 'nobody serves the queue gpu (steps.y.unserved: drop)' },
  ]);
  expect(skeleton.plan).toBe(sha256(JSON.stringify(skeleton.dropped)));
});

test('given an unserved queue and a step that may wait, then the run starts, and the skeleton names the queue', async () => {
  const load = async () =>
    planOf(`${HEAD}steps:\n  x: { run: 'true' }\n  y: { run: 'true', on: gpu, unserved: wait 4h }\n`);
  const fit = createMakePlan({ ...fakePlanner, load }, fakeFleet('gpu'));
  const skeleton = await fit({ ...input, plan: digest });
  expect(skeleton.unserved).toEqual([{ queue: 'gpu', since: SINCE }]);
  const at = (id: string) => skeleton.steps.findIndex((step) => step.id === id);
  const waits = (id: string) => skeleton.steps[at(id)]!;
  expect([waits('steps/y').waitMs, waits('prove/queue/gpu').waitMs]).toEqual([4 * 3_600_000, 4 * 3_600_000]);
  expect(waits('steps/x').waitMs).toBeUndefined();
  const source = skeleton.steps.find(({ kind }) => kind === 'fetchSource')!;
  expect(source.wants).not.toContain(at('prove/queue/gpu'));
  expect(waits('steps/y').wants).toContain(at('prove/queue/gpu'));
});
