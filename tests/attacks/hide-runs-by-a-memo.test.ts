/** @needs temporal */
import { randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createCodec } from '../../src/adapters/temporal/codec/codec.js';
import { findRun } from '../../src/cli/find-run.js';
import { connect } from '../../src/client/connect.js';
import type { ReleaseClient } from '../../src/client/index.js';
import { CONTROL, RELEASE_WORKFLOW } from '../../src/model/ids.js';
import { scheduleIdOf } from '../../src/model/schedule.js';
import { until } from '../support/until.js';
import { startTemporal } from '../temporal-env.js';

const PLAN = `sha256:${'a'.repeat(64)}` as const;

/** A program without our key starts a run and makes a schedule. */
describe('[D10] a foreign workflow has a memo that nobody can read', () => {
  let env: TestWorkflowEnvironment;
  let client: ReleaseClient;
  let stranger: Client;
  let own: string;

  beforeAll(async () => {
    env = await startTemporal();
    client = await connect({ address: env.address });
    const codec = createCodec([{ id: 'foreign', bytes: randomBytes(32) }]);
    stranger = new Client({ connection: env.connection, dataConverter: { payloadCodecs: [codec] } });
    own = (await client.start({ name: 'skiff', version: '1.0', rehearsal: true, plan: PLAN })).workflowId;
    const foreign = { taskQueue: CONTROL, args: [{}], memo: { plan: PLAN } };
    await stranger.workflow.start(RELEASE_WORKFLOW, { ...foreign, workflowId: 'release/foreign/1.0' });
    await stranger.schedule.create({
      scheduleId: scheduleIdOf('foreign'),
      memo: { plan: PLAN },
      spec: { intervals: [{ every: '1h' }] },
      action: { type: 'startWorkflow', workflowType: 'pipeline', ...foreign },
    });
    await until(
      async () =>
        (await env.connection.workflowService.countWorkflowExecutions({ namespace: 'default' })).count.toNumber() === 2,
    );
  });
  afterAll(async () => {
    await client.close();
    await env.teardown();
  });

  test('when runs are listed, then ours are there, and the newest run is ours', async () => {
    expect((await client.runs(10)).map(({ workflowId }) => workflowId)).toEqual([own]);
    expect(await findRun(client, undefined)).toMatchObject({ workflowId: own, open: true });
  });

  test('when schedules are listed, then ours are there', async () => {
    await client.schedules.put({
      pipeline: 'nightly',
      file: '/srv/nightly.yaml',
      profile: 'night',
      rhythm: { everyMs: 3_600_000 },
    });
    // The foreign schedule may be listed before ours: then all that is listed is unreadable.
    await until(async () => (await client.schedules.list().catch(() => [])).length > 0);
    expect((await client.schedules.list()).map(({ pipeline }) => pipeline)).toEqual(['nightly']);
  });

  test('when a run is cancelled by its name, then it is told to end', async () => {
    const { workflowId, run } = await findRun(client, own);
    await client.cancel(workflowId, 'kim ends it', run);
    const { events } = await env.client.workflow.getHandle(workflowId, run).fetchHistory();
    expect(events!.some((event) => event.workflowExecutionCancelRequestedEventAttributes != null)).toBe(true);
  });

  test('given runs that are all encrypted with a key that is not here, then the list says which key is missing', async () => {
    const found = client.runs(10, 'bisect');
    expect(await found).toEqual([]);
    await stranger.workflow.start('bisect', {
      taskQueue: CONTROL,
      workflowId: 'bisect/foreign',
      args: [{}],
      memo: { plan: PLAN },
    });
    const listed = (): Promise<unknown> => client.runs(10, 'bisect').catch((error: Error) => error.message);
    await until(async () => JSON.stringify(await listed()) !== '[]');
    expect(await listed()).toMatch(/^CODEC_KEY_MISSING: .*"foreign"/);
  });
});
