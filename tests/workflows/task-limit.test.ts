/** @needs temporal */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { connect } from '../../src/client/connect.js';
import type { ReleaseClient } from '../../src/client/index.js';
import { scheduleIdOf } from '../../src/model/schedule.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { chain } from './continuing.js';
import { ending, fakeActivities } from './fake-activities.js';

let env: TestWorkflowEnvironment;
let client: ReleaseClient;
beforeAll(async () => {
  env = await startTemporal();
  client = await connect({ address: env.address });
});
afterAll(async () => {
  await client.close();
  await env.teardown();
});

const limitOf = async (workflowId: string): Promise<number> => {
  const { raw } = await env.client.workflow.getHandle(workflowId).describe();
  return Number(raw.executionConfig?.defaultWorkflowTaskTimeout?.seconds);
};

test('given a run that the client starts, then one workflow task may take half a minute', async () => {
  const { workflowId } = await client.start({ name: 'thing', version: '1.0', rehearsal: false, file: 'slipway.yaml' });
  expect(await limitOf(workflowId)).toBe(30);
});

test('given a run that Temporal starts by a schedule, then one workflow task may take half a minute', async () => {
  await client.schedules.put({
    pipeline: 'nightly',
    file: 'slipway.yaml',
    profile: 'local',
    rhythm: { everyMs: 365 * 86_400_000 },
  });
  const { action } = await env.client.schedule.getHandle(scheduleIdOf('nightly')).describe();
  expect(action.workflowTaskTimeout).toBe(30_000);
});

test('given a run with the default of Temporal, when it continues as new, then one workflow task may take half a minute', async () => {
  const skeleton = chain(60);
  const activities = fakeActivities(
    () => skeleton,
    () => ending,
  );
  const worker = await makeWorker(env, await bundleWorkflows(), activities);
  await worker.runUntil(async () => {
    const args = [{ file: 'slipway.yaml', continueAfter: 60 }];
    const handle = await env.client.workflow.start('release', {
      ...{ workflowId: 'release/thing/2.0', taskQueue: 'control', args },
    });
    expect(await limitOf(handle.workflowId)).toBe(10);
    await handle.result();
    expect(await limitOf(handle.workflowId)).toBe(30);
  });
});
