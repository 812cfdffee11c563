/** @needs temporal */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { connect } from '../../src/client/connect.js';
import type { ReleaseClient } from '../../src/client/index.js';
import { fail } from '../../src/model/failure.js';
import type { RunStatus } from '../../src/model/messages.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { BadLine } from './a-bad-line.js';
import { ending, fakeActivities, untilAborted } from '../workflows/fake-activities.js';

const PLAN = `sha256:${'a'.repeat(64)}` as const;
const OTHER = `sha256:${'b'.repeat(64)}` as const;

let env: TestWorkflowEnvironment;
let client: ReleaseClient;
let worker: Worker;
let running: Promise<void>;
const SKELETON = aSkeleton([{ id: 'gate' }, { id: 'report', after: [0] }]);
let planning: Promise<void> = Promise.resolve();
/** Called by the step named `gate`: hold it, fail it, let it pass. */
let gate: (signal: AbortSignal) => Promise<void>;

beforeAll(async () => {
  const [started, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
  env = started;
  client = await connect({ address: env.address });
  const activities = fakeActivities(
    () => planning.then(() => SKELETON),
    async ({ step }, signal) => {
      if (step === 'gate') await gate(signal);
      return ending;
    },
  );
  worker = await makeWorker(env, bundle, activities);
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await client.close();
  await env.teardown();
});

let count = 0;
const aRelease = () => ({ name: 'thing', version: `1.${++count}`, rehearsal: false, plan: PLAN });

/** A gate that a test opens. */
function held(): { open: () => void; reached: Promise<void> } {
  let open!: () => void;
  let tell!: () => void;
  const reached = new Promise<void>((resolve) => (tell = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  gate = (signal) => (tell(), Promise.race([opened, untilAborted(signal)]));
  return { open, reached };
}

async function watched(workflowId: string, run?: string): Promise<readonly RunStatus[]> {
  const seen: RunStatus[] = [];
  for await (const status of client.follow(workflowId, run)) seen.push(status);
  return seen;
}

test('given a release, when it starts again, then it joins the open run, and another plan is refused until the run is closed', async () => {
  const { open, reached } = held();
  const release = aRelease();
  const first = await client.start({ ...release, priority: 2 });
  expect(first).toEqual({ workflowId: `release/thing/${release.version}`, run: first.run, existing: false });
  await reached;
  expect(await client.start({ ...release, priority: 1 })).toEqual({ ...first, existing: true, priority: 2 });
  await expect(client.start({ ...release, plan: OTHER })).rejects.toThrow('RUN_HAS_OTHER_PLAN');
  expect((await client.status(first.workflowId)).state).toBe('running');
  open();
  const seen = await watched(first.workflowId, first.run);
  expect(seen.at(-1)).toMatchObject({ state: 'ended', verdict: { verdict: 'released' } });
  const again = await client.start({ ...release, plan: OTHER });
  expect(again.existing).toBe(false);
  await watched(again.workflowId, again.run);
  // The first run still answers by its run id.
  expect(await client.status(first.workflowId, first.run)).toMatchObject({ run: first.run, state: 'ended' });
});

test('given an open pipeline, when its label is used with another plan, then it is refused, and another label is suggested', async () => {
  const { open, reached } = held();
  const pipeline = { ...aRelease(), pipeline: true as const };
  const first = await client.start(pipeline);
  await reached;
  expect(first.workflowId).toBe(`pipeline/thing/${pipeline.version}`);
  const refused = client.start({ ...pipeline, plan: OTHER });
  await expect(refused).rejects.toMatchObject({
    problems: [{ code: 'RUN_HAS_OTHER_PLAN', next: expect.stringContaining('`--label LABEL`') }],
  });
  expect(await client.runs(1)).toMatchObject([{ workflowId: first.workflowId, open: true }]);
  open();
  await watched(first.workflowId, first.run);
});

test('given a run started with a file, when it has been planned, then starting its plan joins that run', async () => {
  const { open, reached } = held();
  let planned!: () => void;
  planning = new Promise<void>((resolve) => (planned = resolve));
  const release = aRelease();
  const workflowId = `release/thing/${release.version}`;
  const args = [{ file: '/x/slipway.yaml' }];
  const { firstExecutionRunId: run } = await env.client.workflow.start('release', {
    workflowId,
    taskQueue: 'control',
    args,
  });
  const same = client.start({ ...release, plan: SKELETON.plan });
  const other = client.start({ ...release, plan: OTHER }).catch((error: Error) => error.message);
  planned();
  expect(await same).toEqual({ workflowId, run, existing: true, priority: 3 });
  expect(await other).toContain('RUN_HAS_OTHER_PLAN');
  await reached;
  open();
  await watched(workflowId, run);
});

test('given a failed run, when it is watched, then the last status has the verdict, and is still readable afterwards', async () => {
  gate = () => Promise.reject(fail(aProblem()));
  const { workflowId, run } = await client.start({ ...aRelease(), onFailure: 'fail' });
  const last = (await watched(workflowId, run)).at(-1)!;
  expect(last).toMatchObject({ state: 'ended', verdict: { verdict: 'failed', reasons: ['gate: make exited with 2'] } });
  expect(await client.status(workflowId, run)).toEqual(last);
});

test('given a held run, when an action is sent, then it is answered; an ended run refuses actions', async () => {
  gate = () => Promise.reject(fail(aProblem()));
  const { workflowId, run } = await client.start(aRelease());
  for await (const { state } of client.follow(workflowId, run)) if (state === 'held') break;
  expect(await client.act(workflowId, { action: 'retry', step: 'no/such' })).toMatchObject({
    ok: false,
    problem: { code: 'STEP_UNKNOWN' },
  });
  const skip = await client.act(workflowId, { action: 'skip', step: 'gate', reason: 'not today', by: 'kim' });
  expect(skip).toEqual({ ok: true, did: 'gate is left out', steps: ['gate'] });
  expect((await watched(workflowId, run)).at(-1)).toMatchObject({ verdict: { verdict: 'released' } });
  await expect(client.act(workflowId, { action: 'retry' })).rejects.toThrow('RUN_ENDED');
});

test("given a held step, then its problems are in Temporal's history until it succeeds", async () => {
  gate = () => Promise.reject(fail(aProblem()));
  const { workflowId, run } = await client.start(aRelease());
  for await (const { state } of client.follow(workflowId, run)) if (state === 'held') break;
  expect([...(await client.failures(workflowId, run))]).toEqual([['gate', [aProblem()]]]);
  gate = () => Promise.resolve();
  await client.act(workflowId, { action: 'retry', step: 'gate' });
  await watched(workflowId, run);
  expect([...(await client.failures(workflowId, run))]).toEqual([]);
});

test('given a cancelled run, when it is watched, then the last status has the reason', async () => {
  const { reached } = held();
  const { workflowId, run } = await client.start(aRelease());
  await reached;
  await client.cancel(workflowId, 'wrong branch');
  const last = (await watched(workflowId, run)).at(-1)!;
  expect(last).toMatchObject({ state: 'ended', verdict: { verdict: 'cancelled', reasons: ['wrong branch'] } });
  expect(last.steps.map(({ state }) => state)).toEqual(['cancelled', 'done']);
  await expect(client.cancel(workflowId, 'again')).rejects.toThrow('RUN_ENDED');
});

test('given an ended run and a newer one, when an action names the ended one, then the newer run is not affected', async () => {
  gate = () => Promise.resolve();
  const input = aRelease();
  const first = await client.start(input);
  await watched(first.workflowId, first.run);
  const { reached, open } = held();
  const second = await client.start(input);
  await reached;
  await expect(client.cancel(first.workflowId, 'the old one', first.run)).rejects.toThrow('RUN_ENDED');
  await expect(client.act(first.workflowId, { action: 'pause' }, first.run)).rejects.toThrow('RUN_ENDED');
  expect(await client.status(second.workflowId, second.run)).toMatchObject({ state: 'running' });
  open();
  expect((await watched(second.workflowId, second.run)).at(-1)).toMatchObject({ verdict: { verdict: 'released' } });
});

test('given a terminated run, then its steps can still be read', async () => {
  const { reached, open } = held();
  const { workflowId, run } = await client.start(aRelease());
  await reached;
  await env.client.workflow.getHandle(workflowId).terminate('out of patience');
  open();
  const last = (await watched(workflowId, run)).at(-1)!;
  expect(last).toMatchObject({ state: 'ended', verdict: { verdict: 'failed' }, plan: SKELETON.plan });
  expect(last.verdict!.reasons).toEqual([expect.stringMatching(/^terminated by Temporal: .*out of patience/)]);
  expect(last.steps.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
});

test('when the server is unreachable for a while, then watching continues afterwards', async () => {
  const line = new BadLine(env.address);
  await line.mend();
  const far = await connect({ address: line.address });
  const { open, reached } = held();
  const { workflowId, run } = await far.start(aRelease());
  await reached;
  let seen: RunStatus | undefined;
  let told!: () => void;
  const first = new Promise<void>((resolve) => (told = resolve));
  const watching = (async () => {
    for await (const status of far.follow(workflowId, run)) {
      seen = status;
      told();
    }
  })();
  await first;
  await line.cut();
  open();
  await watched(workflowId, run);
  expect(seen?.state).toBe('running');
  await line.mend();
  await watching;
  expect(seen).toMatchObject({ state: 'ended', verdict: { verdict: 'released' } });
  await far.close();
  await line.cut();
});

test('when the watcher aborts, then watching stops', async () => {
  const { open, reached } = held();
  const { workflowId, run } = await client.start(aRelease());
  await reached;
  const leave = new AbortController();
  for await (const status of client.follow(workflowId, run, leave.signal))
    if (status.state === 'running') leave.abort();
  open();
  await watched(workflowId, run);
});

test('given recent runs, then they are listed newest first', async () => {
  gate = async () => undefined;
  const { workflowId, run } = await client.start(aRelease());
  await watched(workflowId, run);
  for (;;) {
    // The list is eventually consistent.
    const [newest] = await client.runs(3);
    if (newest?.run !== run || newest.open) continue;
    expect(newest).toMatchObject({ workflowId, run, open: false, verdict: 'released' });
    expect(newest.endedAt).toBeGreaterThan(newest.startedAt);
    break;
  }
});

test('given an open older run and an ended newer one, then the newest run is the one that began last', async () => {
  const { open, reached } = held();
  const older = await client.start(aRelease());
  await reached;
  gate = async () => undefined;
  const newer = await client.start(aRelease());
  await watched(newer.workflowId, newer.run);
  for (;;) {
    // The list is eventually consistent.
    const ended = (await client.runs(3)).find(({ run, open: isOpen }) => run === newer.run && !isOpen);
    if (ended === undefined) continue;
    expect(await client.runs(1)).toMatchObject([{ run: newer.run }]);
    break;
  }
  open();
  await watched(older.workflowId, older.run);
});

test('given an unknown run or an unreachable server, then the error has a code', async () => {
  await expect(client.status('release/nothing/1')).rejects.toThrow('RUN_UNKNOWN');
  await expect(client.cancel('release/nothing/1', 'x')).rejects.toThrow('RUN_UNKNOWN');
  await expect(watched('release/nothing/1')).rejects.toThrow('RUN_UNKNOWN');
  await expect(connect({ address: '127.0.0.1:1', connectTimeoutMs: 300 })).rejects.toThrow('SERVER_UNREACHABLE');
});
