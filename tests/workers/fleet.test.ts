/** @needs temporal */
import { hostname } from 'node:os';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { BEAT_MS } from '../../src/model/heartbeat.js';
import { CONTROL, FLEET } from '../../src/model/ids.js';
import { watchActivities } from '../../src/workers/activities.js';
import { createWorkerRegistry } from '../../src/workers/fleet.js';
import { aSkeleton, type Rough } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities } from '../workflows/fake-activities.js';
import { statusOf } from '../support/ask-run.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  const listed = ['frontend.WorkerHeartbeatsEnabled=true', 'frontend.ListWorkersEnabled=true'];
  [env, bundle] = await Promise.all([startTemporal(undefined, listed, BEAT_MS), bundleWorkflows()]);
});
afterAll(() => env.teardown());

const QUEUE = 'gpu';

test('when workers join, then the run has one step per slot under way and one in the backlog', async () => {
  const steps = Array.from({ length: 20 }, (_, at): Rough => ({ id: `steps/s${at}`, on: QUEUE, expectedMs: 60_000 }));
  let letGo = (): void => undefined;
  const go = new Promise<void>((resolve) => (letGo = resolve));
  const activities = fakeActivities(
    () => aSkeleton(steps, { windows: { [QUEUE]: 1 } }),
    () => go.then(() => ending),
  );
  const identity = 'control@here/1';
  const place = { connection: env.nativeConnection, namespace: 'default', host: hostname() };
  const roster = createWorkerRegistry({ ...place, identity });
  const control = await makeWorker(env, bundle, activities, { identity });
  const watch = await makeWorker(env, bundle, watchActivities(roster), { taskQueue: FLEET, shutdownGraceTime: 0 });
  const joins = (slots: number, connection: NativeConnection): Promise<Worker> =>
    makeWorker(env, bundle, activities, {
      ...{ taskQueue: QUEUE, identity: `${QUEUE}@here/${slots}`, connection },
      maxConcurrentActivityTaskExecutions: slots,
    });
  const two = await joins(2, env.nativeConnection);
  // The SDK has no two workers of a queue on one connection.
  const another = await NativeConnection.connect({ address: env.address });
  const three = await joins(3, another);
  await control.runUntil(() =>
    watch.runUntil(() =>
      two.runUntil(async () => {
        const handle = await env.client.workflow.start('release', {
          ...{ workflowId: 'release/thing/1.0', taskQueue: CONTROL, args: [{ file: 'slipway.yaml' }] },
        });
        await underWay(handle, { slots: 2, steps: 3 });
        await three.runUntil(async () => {
          await underWay(handle, { slots: 5, steps: 6 });
          expect((await roster.look([QUEUE, 'nobody'])).slots).toEqual({ [QUEUE]: 5 });
          letGo();
          await handle.result();
        });
        await another.close();
      }),
    ),
  );
});

/** Asks until it is so; the test's own time limit is the only one. */
async function underWay(
  handle: WorkflowHandle,
  wanted: { readonly slots: number; readonly steps: number },
): Promise<void> {
  for (;;) {
    const status = await statusOf(handle);
    const steps = status.steps.filter(({ state }) => state === 'running').length;
    if (status.slots?.[QUEUE] === wanted.slots && steps === wanted.steps) {
      expect(status.windows).toMatchObject({ [QUEUE]: wanted.steps });
      return;
    }
    await new Promise((again) => setTimeout(again, 100));
  }
}
