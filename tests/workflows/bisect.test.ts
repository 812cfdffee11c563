/** @long @needs temporal */
import { Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { heartbeat } from '../../src/activities/step/heartbeat.js';
import { createMakePlan } from '../../src/activities/plan/make-plan.js';
import { createKeepBlame, readChain } from '../../src/activities/standings/chain.js';
import { createPlanBisect } from '../../src/activities/plan/plan-bisect.js';
import { createPlanner } from '../../src/adapters/facts/planner.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { bisectIdOf, type BisectInput, type BisectStatus, type PlanBisect } from '../../src/model/bisect.js';
import { asApplicationFailure } from '../../src/activities/step/perform.js';
import { fail, type SlipwayFailure } from '../../src/model/failure.js';
import { STATUS_QUERY, type MakePlan, type StepInput } from '../../src/model/messages.js';
import { aProblem } from '../engine/a-skeleton.js';
import { aLineOfCommits, NIGHT } from '../support/a-line-of-commits.js';
import { NO_RUNS } from '../support/no-runs.js';
import { until } from '../support/until.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, fakeWatch, untilAborted, type FakeStep } from './fake-activities.js';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { impersonal } from '../histories/record.js';
import { historiesOf } from './histories-of.js';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Histories that tests/histories replays. UPDATE_GOLDEN=1 records one that is absent. */
async function recordOnce(file: string, handle: WorkflowHandle): Promise<void> {
  const path = join(__dirname, '../histories', file);
  if (process.env['UPDATE_GOLDEN'] !== '1' || existsSync(path)) return;
  const [recorded] = await historiesOf(env.client, handle);
  writeFileSync(path, `${JSON.stringify(impersonal(recorded!.history), null, 1)}\n`);
}

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

const line = aLineOfCommits(24);
/** A file whose cluster tests have standings. */
const followed = aLineOfCommits(
  4,
  `${NIGHT}  race: { needs: [deps/ray], cluster: one, run: ./race, pythons: [cp310, cp311] }
deps: { ray: { requires: ['ray[default]'], pythons: [cp310, cp311] } }
clusters: { one: { manager: local } }
standings: { branch: main }
`,
);
const store = createDirectoryStore(join(mkdtempSync(join(tmpdir(), 'slipway-bisect-')), 'store'));
const unsigned = { sign: async () => undefined, isSigned: async () => true };
const planner = createPlanner(store, unsigned, () => [line.root, followed.root], NO_RUNS);

/** Plans for real: the release file, the repository and its commits. Only the steps are fake. */
function activities(step: FakeStep): object {
  const makePlan: MakePlan = createMakePlan(planner, {
    unserved: async () => [],
    slots: async () => ({ control: 20 }),
  });
  const none = (): never => {
    throw new Error('the real planner answers');
  };
  return {
    ...fakeActivities(none, step),
    makePlan: beating(makePlan),
    planBisect: beating(planBisect),
    keepBlame: createKeepBlame(store, Date.now),
    lookUpCache: async () => [],
  };
}

/** A heartbeat each second, as workers send it: on a busy machine planning takes longer than a silence that Temporal accepts. */
const beating =
  <In, Out>(act: (input: In) => Promise<Out>) =>
  async (input: In): Promise<Out> => {
    using _beats = heartbeat(Context.current());
    return await act(input);
  };

const planBisect: PlanBisect = (input) =>
  createPlanBisect(
    planner,
    store,
    Date.now,
  )(input).catch((error: SlipwayFailure) => {
    throw asApplicationFailure(error.problems);
  });

/** The place of the commit that a step is of. */
const placeOf = async ({ plan }: StepInput, { commits } = line): Promise<number> => {
  const { source } = await planner.load(plan);
  return commits.indexOf((source as { commit: string }).commit);
};

/** Fails the test from a commit on. @param first place of that commit */
const failsSince =
  (first: number, of = line): FakeStep =>
  async (input) => {
    if (input.step.startsWith('tests/') && (await placeOf(input, of)) >= first) throw fail(aProblem());
    return ending;
  };

const worker = async (step: FakeStep, options: object = {}) =>
  Promise.all([
    makeWorker(env, bundle, activities(step), options),
    makeWorker(env, bundle, activities(step), { taskQueue: 'linux-x86_64' }),
    makeWorker(env, bundle, fakeWatch(), { taskQueue: 'slipway-fleet', shutdownGraceTime: 0 }),
  ]);

async function serving<T>(step: FakeStep, body: () => Promise<T>): Promise<T> {
  const [first, second, third] = await worker(step);
  return first.runUntil(() => second.runUntil(() => third.runUntil(body)));
}

function start(over: Partial<BisectInput> = {}): Promise<WorkflowHandle> {
  const input: BisectInput = {
    ...{ file: line.file, profile: 'local', test: 'sail', ways: 3, good: line.commits[0]!, bad: line.commits[23]! },
    ...over,
  };
  const workflowId = bisectIdOf({ ...input, pipeline: 'night' });
  return env.client.workflow.start('bisect', { workflowId, taskQueue: 'control', args: [input] });
}

const statusOf = (handle: WorkflowHandle): Promise<BisectStatus> => handle.query<BisectStatus>(STATUS_QUERY);
const answered = async (handle: WorkflowHandle): Promise<BisectStatus> => (await handle.result()) as BisectStatus;

test('given 24 commits, when the worker dies midway and another continues, then the first bad commit is found', async () => {
  const handle = await start();
  // Nothing of the bad end ends as long as the first worker lives.
  await serving(
    async (input, signal) => (input.step.startsWith('tests/') ? untilAborted(signal) : ending),
    () =>
      until(
        async () => (await statusOf(handle).catch(() => null))?.tried.some(({ running }) => running === 5) === true,
      ),
  );
  const status = await serving(failsSince(17), () => answered(handle));

  expect(status.answer).toEqual({ answer: 'blamed', commit: 17, repeats: 1 });
  expect(status.tried.length).toBeLessThanOrEqual(2 + 3 * 3);
  await recordOnce('bisected.json', handle);
  expect(status.tried.find(({ commit }) => commit === 17)?.because).toBe('COMMAND_FAILED: make exited with 2');
});

test('given a file with standings, when a commit is blamed, then the standings of the branch get the blame', async () => {
  const [good, , second, bad] = followed.commits;
  const handle = await start({ file: followed.file, test: 'sail', good: good!, bad: bad! });
  const { answer } = await serving(failsSince(2, followed), () => answered(handle));

  expect(answer).toMatchObject({ answer: 'blamed', commit: 2 });
  const { actions } = await readChain(store, { pipeline: 'night', profile: 'local', branch: 'main' });
  expect(actions.map(({ action }) => action)).toMatchObject([
    { action: 'blame', test: 'sail', commits: second, by: handle.workflowId },
  ]);
  await recordOnce('blamed.json', handle);
});

test('given the name of one variant, when another variant always fails, then its own commit is found and blamed', async () => {
  const [good, , second, bad] = followed.commits;
  const name = 'race@linux-x86_64@cp311';
  const handle = await start({ file: followed.file, test: name, good: good!, bad: bad! });
  const step: FakeStep = async (input, signal) => {
    if (input.step.startsWith('tests/race/cp310')) throw fail(aProblem());
    return failsSince(2, followed)(input, signal);
  };
  const { answer } = await serving(step, () => answered(handle));

  expect(answer).toMatchObject({ answer: 'blamed', commit: 2 });
  const { actions } = await readChain(store, { pipeline: 'night', profile: 'local', branch: 'main' });
  expect(actions.map(({ action }) => action).filter(({ test: of }) => of === name)).toMatchObject([
    { action: 'blame', commits: second, by: `bisect/night/${name}/${bad!.slice(0, 8)}` },
  ]);
});

test('given commits in the middle that cannot be built, then the answer is a range', async () => {
  const step: FakeStep = async (input) => {
    const place = await placeOf(input);
    if (input.step.startsWith('steps/') && place > 8 && place < 12) throw fail(aProblem());
    return failsSince(10)(input, new AbortController().signal);
  };
  const handle = await start();
  const { answer } = await serving(step, () => answered(handle));

  expect(answer).toEqual({ answer: 'span', from: 8, to: 12, repeats: 1 });
});

test('given a test that fails in every second try, then the bad commit is found by repeats', async () => {
  const tries = new Map<number, number>();
  const step: FakeStep = async (input) => {
    const place = await placeOf(input);
    if (!input.step.startsWith('tests/')) return ending;
    const no = (tries.get(place) ?? 0) + 1;
    tries.set(place, no);
    if (place >= 5 && no % 2 === 1) throw fail(aProblem());
    return ending;
  };
  const handle = await start({ good: line.commits[2]!, bad: line.commits[9]! });
  const { answer, tried } = await serving(step, () => answered(handle));

  const others = tried.flatMap(({ because }) => because ?? []).filter((why) => !why.startsWith('COMMAND_FAILED'));
  expect({ answer, others }).toMatchObject({ answer: { answer: 'blamed', commit: 3, repeats: 4 }, others: [] });
});

test('given a good end that fails, then the answer says so', async () => {
  const handle = await start({ good: line.commits[20]! });
  const { answer } = await serving(failsSince(0), () => answered(handle));

  expect(answer).toEqual({ answer: 'fails at the good end' });
});

test('given a pause, then no further try starts until it is resumed', async () => {
  const handle = await start({ good: line.commits[10]! });
  const told = await serving(failsSince(12), async () => {
    const paused = await handle.executeUpdate('send', { args: [{ action: 'pause', reason: 'busy', by: 'ann' }] });
    const refused = await handle.executeUpdate('send', { args: [{ action: 'note', reason: 'x' }] });
    await until(async () => (await statusOf(handle)).tried.every(({ running }) => running === 0));
    const status = await statusOf(handle);
    await handle.executeUpdate('send', { args: [{ action: 'resume' }] });
    return { paused, refused, status, last: await answered(handle) };
  });
  expect(told.paused).toMatchObject({ ok: true });
  expect(told.refused).toMatchObject({ ok: false, problem: { code: 'BISECT_TAKES_NO_SUCH_ACTION' } });
  expect(told.status).toMatchObject({ why: 'busy (ann)' });
  expect(told.status.answer).toBeUndefined();
  expect(told.last.answer).toMatchObject({ answer: 'blamed', commit: 2 });
});

test('given a cancel, then running tries end as cancelled', async () => {
  const handle = await start({ good: line.commits[11]! });
  const step: FakeStep = (input, signal) => (input.step.startsWith('tests/') ? untilAborted(signal) : ending);
  await serving(step, async () => {
    await until(
      async () => (await statusOf(handle).catch(() => null))?.tried.some(({ running }) => running === 5) === true,
    );
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    await until(async () => {
      const open = env.client.workflow.list({ query: "WorkflowType='pipeline' AND ExecutionStatus='Running'" });
      for await (const _ of open) return false;
      return true;
    });
  });
});

test('given input by hand without commits, then it fails with a code', async () => {
  const handle = await env.client.workflow.start('bisect', {
    ...{ workflowId: 'bisect/night/sail/none', taskQueue: 'control' },
    args: [{ file: line.file, profile: 'local', test: 'sail' }],
  });
  const failure = await serving(failsSince(0), () => handle.result().catch((error: unknown) => error));

  expect((failure as { cause: { message: string } }).cause.message).toContain('40 hex digits');
});
