/** @long @needs temporal */
import { mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createMakePlan } from '../../src/activities/plan/make-plan.js';
import { asApplicationFailure } from '../../src/activities/step/perform.js';
import { orderDigest } from '../../src/adapters/facts/submit-here.js';
import { createPlanner } from '../../src/adapters/facts/planner.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { connect } from '../../src/client/connect.js';
import type { ReleaseClient } from '../../src/client/index.js';
import { createKeepStatus } from '../../src/activities/report/keep-status.js';
import type { Layout } from '../../src/activities/ports.js';
import type { Digest } from '../../src/model/digest.js';
import { fail, type SlipwayFailure } from '../../src/model/failure.js';
import type { MakePlan, RunStatus } from '../../src/model/messages.js';
import { scheduleIdOf, type Schedule, type ScheduledRun, type ScheduleRequest } from '../../src/model/schedule.js';
import { aProblem } from '../engine/a-skeleton.js';
import { aLineOfCommits, git, NIGHT } from '../support/a-line-of-commits.js';
import { until } from '../support/until.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, fakeWatch, untilAborted, type FakeStep } from './fake-activities.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
let client: ReleaseClient;
const database = join(mkdtempSync(join(tmpdir(), 'slipway-schedules-')), 'server.db');
const connected = (): Promise<ReleaseClient> => connect({ address: env.address });
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(database), bundleWorkflows()]);
  client = await connected();
});
afterAll(async () => {
  await client.close();
  await env.teardown();
});

/** A pipeline of its own, for each test, in a repository of its own. */
const project = (pipeline: string) => aLineOfCommits(1, NIGHT.replace('name: night', `name: ${pipeline}`));

const signed = new Set<string>();
const roots: string[] = [];
const store = createDirectoryStore(join(mkdtempSync(join(tmpdir(), 'slipway-schedules-')), 'store'));
const signatures = {
  sign: async (digest: string) => void signed.add(digest),
  isSigned: async (digest: string) => signed.has(digest),
};
const planner = createPlanner(store, signatures, () => roots);
const layout = () => ({ list: async () => [] }) as unknown as Layout;
const keepStatus = createKeepStatus(store, layout, (digest) => planner.load(digest as Digest));

/** Plans for real: the release file and its repository. Only the steps are fake. */
function activities(step: FakeStep): object {
  const plan: MakePlan = createMakePlan(planner, { unserved: async () => [], slots: async () => ({ control: 20 }) });
  const makePlan: MakePlan = (input) =>
    plan(input).catch((error: SlipwayFailure) => {
      throw asApplicationFailure(error.problems);
    });
  const none = (): never => {
    throw new Error('the real planner answers');
  };
  return { ...fakeActivities(none, step), makePlan, lookUpCache: async () => [], keepStatus };
}

async function serving<T>(step: FakeStep, body: () => Promise<T>): Promise<T> {
  const workers = await Promise.all([
    makeWorker(env, bundle, activities(step)),
    makeWorker(env, bundle, activities(step), { taskQueue: 'linux-x86_64' }),
    makeWorker(env, bundle, fakeWatch(), { taskQueue: 'slipway-fleet', shutdownGraceTime: 0 }),
  ]);
  return workers.reduce<() => Promise<T>>((inner, worker) => () => worker.runUntil(inner), body)();
}

/** Makes a schedule whose next start is far away. */
async function made(pipeline: string, over: Partial<ScheduleRequest> = {}): Promise<ScheduleRequest> {
  const { root, file } = project(pipeline);
  roots.push(root);
  const request = { pipeline, file, profile: 'local', rhythm: { everyMs: 365 * 86_400_000 }, by: 'ann', ...over };
  signed.add(orderDigest(request));
  await client.schedules.put(request);
  return request;
}

const handleOf = (pipeline: string) => env.client.schedule.getHandle(scheduleIdOf(pipeline));
const found = async (pipeline: string): Promise<Schedule> => (await client.schedules.find(pipeline))!;

/** Starts a run by hand, as the server does at each tick, and returns it with its status once it has ended. */
async function triggered(pipeline: string): Promise<{ readonly run: ScheduledRun; readonly status: RunStatus }> {
  const before = (await found(pipeline)).started;
  await handleOf(pipeline).trigger();
  const run = await until(async () => {
    const { started, last } = await found(pipeline);
    return started > before && !['running', 'unknown'].includes(last[0]!.verdict) && last[0];
  });
  return { run, status: await client.status(run.workflowId, run.run) };
}

test('given options of planning, when a start comes, then it plans anew with them under an id with a time', async () => {
  await made('chosen', { given: { tests: { only: ['tests/sail'] } } });
  const { run, status } = await serving(
    () => ending,
    () => triggered('chosen'),
  );

  expect(run).toMatchObject({ verdict: 'done' });
  expect(run.workflowId).toMatch(/^pipeline\/chosen-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(status).toMatchObject({ name: 'chosen', pipeline: true });
  expect(status.version).toMatch(/^\d{4}-\d\d-\d\d$/);
  const tests = status.steps.map(({ id }) => id).filter((id) => id.startsWith('tests/'));
  expect(tests).toEqual(['tests/sail']);
});

test('given options that no key of the home signed, when a start comes, then the run fails with a code', async () => {
  const request = await made('stranger', { given: { wheels: { ray: 'somebody:fork' } } });
  signed.delete(orderDigest(request));
  const { run, status } = await serving(
    () => ending,
    () => triggered('stranger'),
  );

  expect(run.verdict).toBe('failed');
  expect(status.problems).toMatchObject([{ code: 'SCHEDULE_NOT_SIGNED' }]);
});

test('given a file that is gone, when a start comes, then the run fails with a code and the name of its pipeline', async () => {
  const { file } = await made('gone');
  renameSync(file, `${file}.old`);
  const { run, status } = await serving(
    () => ending,
    () => triggered('gone'),
  );

  expect(run.verdict).toBe('failed');
  expect(status).toMatchObject({ name: 'gone', problems: [{ code: 'RELEASE_FILE_ABSENT' }] });
});

test('given a done run, when the next start has nothing new, then it ends without steps; a commit is something new', async () => {
  const { file } = await made('calm');
  const runs = await serving(
    () => ending,
    async () => {
      const first = await triggered('calm');
      const second = await triggered('calm');
      git(dirname(file), 'commit', '-q', '--allow-empty', '-m', 'more');
      return { first, second, third: await triggered('calm') };
    },
  );

  expect(runs.first.status.steps.length).toBeGreaterThan(3);
  expect(runs.second.status).toMatchObject({
    steps: [],
    verdict: {
      verdict: 'done',
      reasons: [`nothing new: ${runs.first.run.workflowId} was done with the same plan`],
    },
  });
  expect(runs.third.status.steps.length).toBe(runs.first.status.steps.length);
});

test('given a failed run, when the next start has the same plan, then it runs its steps again', async () => {
  await made('broken');
  const step: FakeStep = ({ step: id }) => {
    if (id.startsWith('tests/')) throw fail(aProblem());
    return ending;
  };
  const runs = await serving(step, async () => [await triggered('broken'), await triggered('broken')] as const);
  expect(runs.map(({ run }) => run.verdict)).toEqual(['failed', 'failed']);
});

test('given an open run, when the next start comes, then it is skipped and counted', async () => {
  await made('slow');
  const step: FakeStep = (_, signal) => untilAborted(signal);
  const [open, both] = await serving(step, async () => {
    await handleOf('slow').trigger('SKIP');
    const first = await until(async () => (await found('slow')).last[0]);
    await handleOf('slow').trigger('SKIP');
    const later = await until(async () => {
      const now = await found('slow');
      return now.skipped > 0 && now;
    });
    await client.cancel(first.workflowId, 'seen', first.run);
    const cancelled = await until(async () =>
      (await found('slow')).last.find(({ verdict }) => verdict === 'cancelled'),
    );
    return [later, cancelled] as const;
  });

  expect(open).toMatchObject({ skipped: 1, started: 1, last: [{ verdict: 'running' }] });
  expect(both.workflowId).toBe(open.last[0]!.workflowId);
});

test('given the same file again, then its schedule changes and stays paused; another file is refused', async () => {
  const request = await made('twice');
  await client.schedules.pause('twice', 'disk is full (ann)');
  expect(await client.schedules.put({ ...request, rhythm: { cron: '30 2 * * MON-FRI' } })).toEqual({ created: false });

  expect(await found('twice')).toMatchObject({
    rhythm: 'cron 30 2 * * MON-FRI',
    paused: true,
    note: 'disk is full (ann)',
    next: [],
  });
  await client.schedules.resume('twice', 'space again (ann)');
  const { next } = await found('twice');
  expect(next.length).toBeGreaterThan(0);
  for (const time of next.map((ms) => new Date(ms))) {
    expect([time.getUTCHours(), time.getUTCMinutes()]).toEqual([2, 30]);
    expect([1, 2, 3, 4, 5]).toContain(time.getUTCDay());
  }
  const other = client.schedules.put({ ...request, file: '/elsewhere/slipway.yaml' });
  await expect(other).rejects.toMatchObject({ problems: [{ code: 'SCHEDULE_OF_OTHER_FILE' }] });
});

test.each<[string, (time: Date) => boolean]>([
  ['5/20 1-5 1,15 JAN-mar,12 *', (time) => [1, 15].includes(time.getUTCDate()) && time.getUTCMinutes() % 20 === 5],
  ['0 0 29 2 *', (time) => time.getUTCDate() === 29],
  ['0 4 * * 7', (time) => time.getUTCDay() === 0],
  ['0 4 1-7 * MON', (time) => time.getUTCDay() === 1 && time.getUTCDate() <= 7],
])('given the cron line "%s", then the server takes it and starts at its times', async (cron, isTime) => {
  const pipeline = `cron-${cron.replace(/[^A-Za-z0-9]+/g, '-')}`;
  await client.schedules.put({ pipeline, file: '/x/slipway.yaml', profile: 'local', rhythm: { cron } });
  const { rhythm, next } = await found(pipeline);
  expect(rhythm).toBe(`cron ${cron}`);
  expect(next.length).toBeGreaterThan(0);
  expect(next.every((ms) => isTime(new Date(ms)))).toBe(true);
});

test('given no schedule, then every action on it is refused with a code', async () => {
  const { schedules } = client;
  const actions = [schedules.pause('none', ''), schedules.resume('none', ''), schedules.delete('none')];
  for (const { status, reason } of (await Promise.allSettled(actions)) as PromiseRejectedResult[])
    expect([status, reason.first.code]).toEqual(['rejected', 'SCHEDULE_UNKNOWN']);
  expect(await schedules.find('none')).toBeNull();
});

test('given a schedule, when the server restarts, then the schedule is listed until it is deleted', async () => {
  const { file } = await made('kept');
  await client.close();
  await env.teardown();
  env = await startTemporal(database);
  client = await connected();

  const all = await until(async () => {
    const now = await client.schedules.list();
    return now.some(({ pipeline }) => pipeline === 'kept') && now;
  });
  expect(all.find(({ pipeline }) => pipeline === 'kept')).toMatchObject({ rhythm: 'every 365d', file, by: 'ann' });
  await client.schedules.delete('kept');
  expect(await client.schedules.find('kept')).toBeNull();
});
