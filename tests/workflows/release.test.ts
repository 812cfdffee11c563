/** @long @needs temporal */
import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { NEWEST_ENGINE } from '../../src/model/engines.js';
import { fail } from '../../src/model/failure.js';
import { CANCEL_SIGNAL, type RunStatus, type StepInput } from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aProblem, aSkeleton, RETRY } from '../engine/a-skeleton.js';
import { CONVERTER } from '../support/converter.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, SMALL_RELEASE, untilAborted, type FakeStep } from './fake-activities.js';
import { statusOf } from '../support/ask-run.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

let count = 0;
interface Ended {
  readonly handle: WorkflowHandle;
  readonly outcome: { verdict: string; status: RunStatus } | Error;
}

/** Starts a release on a worker of its own, does `meanwhile`, and waits for the end. */
async function carryOut(
  skeleton: Skeleton | (() => Skeleton | Promise<Skeleton>),
  step: FakeStep,
  meanwhile: (handle: WorkflowHandle) => Promise<void> = async () => undefined,
  options: { maxCachedWorkflows?: number } = {},
  more: object = {},
): Promise<Ended> {
  const make = typeof skeleton === 'function' ? skeleton : () => skeleton;
  const worker = await makeWorker(env, bundle, { ...fakeActivities(make, step), ...more }, options);
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start('release', {
      workflowId: `release/thing/1.${++count}`,
      taskQueue: 'control',
      args: [{ file: 'slipway.yaml', onFailure: 'fail' }],
    });
    await meanwhile(handle);
    const outcome = await handle.result().catch((error: Error) => error);
    return { handle, outcome: outcome as Ended['outcome'] };
  });
}

const statusName = async (handle: WorkflowHandle): Promise<string> => (await handle.describe()).status.name;

/** The status in the details of the failure that a failed run ends with. */
function failedStatus(outcome: unknown): RunStatus {
  if (!(outcome instanceof WorkflowFailedError)) throw new Error(`did not fail: ${String(outcome)}`);
  return (outcome.cause as unknown as { details: [RunStatus] }).details[0];
}

/** Carries out a pipeline. Returns the status that it fails with. */
async function failedPipeline(id: string, skeleton: Skeleton, step: FakeStep, more: object = {}): Promise<RunStatus> {
  const activities = fakeActivities(() => skeleton, step);
  const worker = await makeWorker(env, bundle, activities);
  const args = [{ file: 'slipway.yaml', ...more }];
  const input = { workflowId: `pipeline/thing/${id}`, taskQueue: 'control', args };
  const ended = worker.runUntil(env.client.workflow.execute('pipeline', input));
  return failedStatus(await ended.catch((thrown: unknown) => thrown));
}

test.each([{ maxCachedWorkflows: 100 }, { maxCachedWorkflows: 0 }])(
  'given a release, then every step runs and the verdict is right (%j)',
  async (options) => {
    const inputs: StepInput[] = [];
    const step: FakeStep = (input) => (inputs.push(input), ending);
    const { handle, outcome } = await carryOut({ ...SMALL_RELEASE, rehearsal: true }, step, undefined, options);
    expect(outcome).toMatchObject({ verdict: 'rehearsed', status: { state: 'ended', plan: SMALL_RELEASE.plan } });
    expect(inputs.map((input) => input.step)).toEqual(['wheels/a', 'tests/a', 'seal', 'report']);
    const { runId } = await handle.describe();
    expect(inputs[0]).toEqual({ plan: SMALL_RELEASE.plan, step: 'wheels/a', run: runId, attempt: 1 });
    expect(await statusName(handle)).toBe('COMPLETED');
  },
);

test('given a pipeline, when all its steps succeed, then it closes as done', async () => {
  const pipeline: Skeleton = { ...SMALL_RELEASE, rehearsal: true, pipeline: true };
  const plan = async (): Promise<Skeleton> => pipeline;
  const worker = await makeWorker(
    env,
    bundle,
    fakeActivities(plan, async () => ending),
  );
  const input = { workflowId: 'pipeline/thing/R1', taskQueue: 'control', args: [{ file: 'slipway.yaml' }] };
  const outcome = await worker.runUntil(() => env.client.workflow.execute('pipeline', input));
  expect(outcome).toMatchObject({ verdict: 'done', status: { name: 'thing', pipeline: true, state: 'ended' } });
});

test('given reported failures, a tolerated one and a flaky step, then the run ends by itself and names each', async () => {
  const product = { times: 1, waitMs: 0, atMostMs: 0 };
  const night = aSkeleton(
    [
      { id: 'tests/red', onFailure: 'tell' },
      { id: 'tests/jailed', tolerate: 'jailed: core until Friday' },
      { id: 'tests/flaky', retry: { ...RETRY, product } },
      { id: 'after/red', needs: [0], onFailure: 'tell' },
      { id: 'seal', wants: [1, 2] },
    ],
    { pipeline: true },
  );
  const flaky: unknown[] = [];
  const step: FakeStep = ({ step: id, attempt, ...input }) => {
    if (id === 'tests/flaky') flaky.push(input.flaky);
    if (id.startsWith('tests/') && !(id === 'tests/flaky' && attempt === 2)) throw fail(aProblem());
    return ending;
  };
  const status = await failedPipeline('R2', night, step);
  expect(status.steps.map(({ state }) => state)).toEqual(['failed', 'skipped', 'done', 'skipped', 'done']);
  expect(status.steps[1]).toMatchObject({ tolerated: true, problems: [aProblem()] });
  expect(status.steps[2]).toMatchObject({ flaky: true, attempt: 2 });
  expect(flaky).toEqual([undefined, true]);
  expect(status.verdict).toEqual({
    verdict: 'failed',
    reasons: [
      'tests/red: make exited with 2',
      'tests/jailed failed, which is tolerated: jailed: core until Friday',
      'tests/flaky is flaky: it passed at attempt 2',
    ],
  });
});

test.each([
  [3, 'skipped'],
  [4, 'done'],
] as const)(
  'given a reported failure under the rules of engine %i, then a step that only wants it is %s',
  async (engine, state) => {
    const cache = aSkeleton(
      [
        { id: 'wheels/broken', onFailure: 'tell' },
        { id: 'publish/broken', kind: 'publishArtifacts', needs: [0], onFailure: 'tell' },
        { id: 'verify/cache', kind: 'verifyTarget', wants: [0, 1], onFailure: 'tell' },
        { id: 'report', after: [0, 1, 2] },
      ],
      { pipeline: true },
    );
    const step: FakeStep = ({ step: id }) => {
      if (id === 'wheels/broken') throw fail(aProblem());
      return ending;
    };
    const { steps, verdict } = await failedPipeline(`E${engine}`, cache, step, { engine });
    expect(steps.map((one) => one.state)).toEqual(['failed', 'skipped', state, 'done']);
    expect(verdict).toEqual({ verdict: 'failed', reasons: ['wheels/broken: make exited with 2'] });
  },
);

test('when a step fails, then the run fails after the other steps, with the problems in its status', async () => {
  const problem = aProblem({ evidence: ['make: *** [all] Error 2'] });
  const { handle, outcome } = await carryOut(SMALL_RELEASE, ({ step }) => {
    if (step === 'tests/a') throw fail(problem);
    return ending;
  });
  const status = failedStatus(outcome);
  expect(status.steps.map(({ state }) => state)).toEqual(['done', 'failed', 'skipped', 'done']);
  expect(status.steps[1]!.problems).toEqual([problem]);
  expect(status.verdict).toEqual({ verdict: 'failed', reasons: ['tests/a: make exited with 2'] });
  expect((outcome as WorkflowFailedError).cause).toMatchObject({ type: 'RELEASE_FAILED', nonRetryable: true });
  expect(await statusName(handle)).toBe('FAILED');
});

test('when a step fails with infra, then it is retried; an error without a class is a bug and is not retried', async () => {
  const seen: string[] = [];
  const { handle, outcome } = await carryOut(SMALL_RELEASE, ({ step, attempt }) => {
    seen.push(`${step} ${attempt}`);
    if (step === 'wheels/a' && attempt === 1) throw fail(aProblem({ class: 'infra' }));
    if (step === 'tests/a') throw Object.assign(new Error('x is not a function'), { name: 'TypeError' });
    return ending;
  });
  expect(seen.slice(0, 2)).toEqual(['wheels/a 1', 'wheels/a 2']);
  const status = failedStatus(outcome);
  expect(status.steps[1]!.problems).toMatchObject([{ code: 'UNEXPECTED', class: 'bug' }]);
  const { events } = await handle.fetchHistory();
  const timers = events!.filter((event) => event.timerStartedEventAttributes);
  expect(timers.map(({ userMetadata }) => String(userMetadata!.summary!.data))).toEqual([
    '"wheels/a: infra: try again 1 of 2"',
  ]);
});

test.each(['workflow cancel', 'signal', 'both'])(
  'given a cancel by %s, then steps are aborted, reports run, and the run closes as cancelled',
  async (way) => {
    let begun: () => void;
    const running = new Promise<void>((resolve) => (begun = resolve));
    let cleaned = false;
    const step: FakeStep = async ({ step: id }, signal) => {
      if (id !== 'wheels/a') return ending;
      begun();
      return untilAborted(signal).finally(() => (cleaned = true));
    };
    const { handle, outcome } = await carryOut(SMALL_RELEASE, step, async (open) => {
      await running;
      if (way !== 'workflow cancel') await open.signal(CANCEL_SIGNAL, { reason: 'wrong branch', by: 'ann' });
      if (way !== 'signal') await open.cancel();
    });
    expect(outcome).toBeInstanceOf(Error);
    expect(cleaned).toBe(true);
    expect(await statusName(handle)).toBe('CANCELLED');
    const worker = await makeWorker(env, bundle, {});
    const status = await worker.runUntil(statusOf(handle));
    expect(status.steps.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled', 'done']);
    const reason = way === 'workflow cancel' ? 'cancel was asked for' : 'wrong branch (ann)';
    expect(status.verdict).toEqual({ verdict: 'cancelled', reasons: [reason] });
  },
);

test('given a cancel with a reason and Temporal’s own cancel in one workflow task, then the reason is kept', async () => {
  let begun: () => void;
  const running = new Promise<void>((resolve) => (begun = resolve));
  const step: FakeStep = async ({ step: id }, signal) => {
    if (id !== 'wheels/a') return ending;
    begun();
    return untilAborted(signal);
  };
  const connection = env.nativeConnection;
  const activities = fakeActivities(() => SMALL_RELEASE, step);
  const activityWorker = await Worker.create({
    connection,
    taskQueue: 'control',
    activities,
    dataConverter: CONVERTER,
  });
  await activityWorker.runUntil(async () => {
    const workflowId = `release/thing/1.${++count}`;
    const args = [{ file: 'slipway.yaml', onFailure: 'fail', engine: NEWEST_ENGINE }];
    const before = await makeWorker(env, bundle, {});
    const handle = await before.runUntil(async () => {
      const started = await env.client.workflow.start('release', { workflowId, taskQueue: 'control', args });
      await running;
      return started;
    });
    await handle.signal(CANCEL_SIGNAL, { reason: 'wrong branch' });
    await handle.cancel();
    const after = await makeWorker(env, bundle, {});
    const status = await after.runUntil(async () => {
      await handle.result().catch(() => undefined);
      return statusOf(handle);
    });
    expect(status.verdict).toEqual({ verdict: 'cancelled', reasons: ['wrong branch'] });
  });
});

test('when planning fails, then the run fails with that problem', async () => {
  const problem = aProblem({ code: 'FILE_UNREADABLE', class: 'config', message: 'no such file' });
  const { outcome } = await carryOut(
    () => {
      throw fail(problem);
    },
    () => ending,
  );
  expect(failedStatus(outcome)).toMatchObject({ problems: [problem], steps: [], verdict: { verdict: 'failed' } });
});

test('given a run started with a file, then its memo has the plan digest, and its last status is stored', async () => {
  const kept: RunStatus[] = [];
  const keepStatus = async (status: RunStatus): Promise<void> => void kept.push(status);
  const { handle, outcome } = await carryOut(SMALL_RELEASE, () => ending, undefined, {}, { keepStatus });
  expect((await handle.describe()).memo).toEqual({ plan: SMALL_RELEASE.plan });
  expect(kept).toEqual([(outcome as { status: RunStatus }).status]);
});

test('given a store that was down when the run ended, then the status is written later', async () => {
  const kept: RunStatus[] = [];
  let tries = 0;
  const keepStatus = async (status: RunStatus): Promise<void> => {
    tries += 1;
    if (tries < 3) throw ApplicationFailure.retryable('the store does not answer');
    kept.push(status);
  };
  await carryOut(SMALL_RELEASE, () => ending, undefined, {}, { keepStatus });
  expect([tries, kept.length]).toEqual([3, 1]);
});

test('given a store that refuses the status, then the verdict is unchanged', async () => {
  const keepStatus = async (): Promise<void> => Promise.reject(ApplicationFailure.nonRetryable('refused'));
  const { outcome } = await carryOut(SMALL_RELEASE, () => ending, undefined, {}, { keepStatus });
  expect(outcome).toMatchObject({ verdict: 'released' });
});

test('given a mistyped workflow type or id, then the run fails and says what to type', async () => {
  const worker = await makeWorker(
    env,
    bundle,
    fakeActivities(
      () => Promise.reject(fail(aProblem())),
      () => ending,
    ),
  );
  await worker.runUntil(async () => {
    const start = (type: string) =>
      env.client.workflow.execute(type, { workflowId: `odd${type}`, taskQueue: 'control', args: [] });
    const failure = await start('relase').catch((error: WorkflowFailedError) => error.cause);
    expect(failure).toMatchObject({
      type: 'WORKFLOW_TYPE_UNKNOWN',
      message: expect.stringContaining('--type release'),
    });
    const other = await start('release').catch((error: unknown) => error);
    expect(failedStatus(other)).toMatchObject({ name: 'oddrelease', version: '' });
    expect((other as WorkflowFailedError).cause!.message).toBe(
      'failed: COMMAND_FAILED: make exited with 2. Read the log.',
    );
  });
});

test('when a run is cancelled while it plans, then it does not wait for the plan', async () => {
  let planned!: (skeleton: Skeleton) => void;
  const slow = new Promise<Skeleton>((resolve) => (planned = resolve));
  const started: string[] = [];
  const { handle } = await carryOut(
    () => slow,
    ({ step }) => (started.push(step), ending),
    async (open) => {
      await open.cancel();
      await open.result().catch(() => planned(SMALL_RELEASE));
    },
  );
  expect(await statusName(handle)).toBe('CANCELLED');
  expect(started).toEqual([]);
});

test('given an invalid skeleton, then the run fails with a code and does not retry its task', async () => {
  const { outcome } = await carryOut(aSkeleton([{ id: 'a', needs: [0] }]), () => ending);
  expect(failedStatus(outcome).problems).toMatchObject([{ code: 'PLAN_HAS_CYCLE' }]);
});

interface Metadata {
  readonly currentDetails: string;
  readonly definition: Readonly<
    Record<
      'queryDefinitions' | 'signalDefinitions' | 'updateDefinitions',
      readonly { readonly name: string; readonly description: string }[]
    >
  >;
}
test('given a run, then the Temporal UI shows its steps, attributes and details', async () => {
  const { handle } = await carryOut(SMALL_RELEASE, ({ step }) => {
    if (step === 'tests/a') throw fail(aProblem({ evidence: ['assert 1 == 2'] }));
    return ending;
  });
  const described = await handle.describe();
  expect(described.searchAttributes).toMatchObject({ SlipwayRelease: ['thing/1.0'], SlipwayState: ['ended'] });
  const worker = await makeWorker(env, bundle, {});
  const metadata = await worker.runUntil(handle.query<Metadata>('__temporal_workflow_metadata'));
  expect(metadata.currentDetails).toContain('steps    2 done, 1 failed, 1 skipped');
  expect(metadata.currentDetails).toContain('assert 1 == 2');
  const { queryDefinitions, signalDefinitions, updateDefinitions } = metadata.definition;
  const ours = [...queryDefinitions.filter(({ name }) => !name.startsWith('__')), ...signalDefinitions, ...updateDefinitions]; // prettier-ignore
  expect(ours).toHaveLength(20);
  expect(ours.filter(({ description }) => !description)).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify(ours))).toBeLessThanOrEqual(1200);
  const { events } = await handle.fetchHistory();
  const ids = events?.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityId ?? []);
  const planning = events?.find((event) => event.activityTaskScheduledEventAttributes?.activityId === 'plan');
  // A worker that dies while it plans is noticed in seconds.
  expect(Number(planning?.activityTaskScheduledEventAttributes?.heartbeatTimeout?.seconds)).toBe(10);
  expect(ids).toEqual(['plan', 'watch-queues', 'wheels/a', 'tests/a', 'report', 'keep-status']);
});
