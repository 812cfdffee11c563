/** @needs temporal */
import { gzipSync } from 'node:zlib';
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { ApplicationFailure } from '@temporalio/activity';
import { payloadCodecs } from '../../src/adapters/temporal/codec/data-converter.js';
import { newKeyLine, readKeys } from '../../src/adapters/temporal/codec/keys.js';
import { fail } from '../../src/model/failure.js';
import { CONTROL, RELEASE_WORKFLOW } from '../../src/model/ids.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { NoticeEvent } from '../../src/model/listener.js';
import type { Notification } from '../../src/model/notice.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { CONVERTER } from '../support/converter.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities } from './fake-activities.js';
import { statusOf } from '../support/ask-run.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

const remind = { afterMs: 3_600_000, everyMs: 3_600_000 };
const listening =
  (...on: NoticeEvent[]) =>
  (name: string) => ({ name, on });
const PAIR = aSkeleton([{ id: 'a' }, { id: 'b' }, { id: 'report', after: [0, 1] }], {
  notify: { listeners: [listening('held', 'verdict')('team'), listening('verdict')('boss')], remind },
});

test('given two held steps, then listeners get one message; all get the verdict; a refused message fails nothing', async () => {
  const told: Notification[] = [];
  const tell = async (telling: Notification): Promise<void> => {
    told.push(telling);
    if (telling.to === 'boss')
      throw ApplicationFailure.create({ type: 'WEBHOOK_REFUSED', message: 'no', nonRetryable: true, details: [{ problems: [aProblem({ code: 'WEBHOOK_REFUSED' })] }] }); // prettier-ignore
  };
  const step = ({ step: id }: { step: string }) => {
    if (id === 'report') return ending;
    throw fail(aProblem());
  };
  const worker = await makeWorker(env, bundle, { ...fakeActivities(() => PAIR, step), notify: tell });
  const outcome = await worker.runUntil(async () => {
    const handle = await env.client.workflow.start(RELEASE_WORKFLOW, {
      ...{ workflowId: 'release/thing/3.0', taskQueue: CONTROL, args: [{ file: 'slipway.yaml' }] },
    });
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    for (const id of ['a', 'b']) await handle.executeUpdate('skip', { args: [{ step: id, reason: 'enough' }] });
    return handle.result() as Promise<{ verdict: string; status: RunStatus }>;
  });
  expect(told.map(({ to, id, notices, verdict }) => [to, id.split('/')[1], notices.map((one) => 'step' in one && one.step), verdict?.verdict])).toEqual([
    ['team', '1', ['a', 'b'], undefined],
    ...['team', 'boss'].map((to) => [to, 'verdict', [], 'released']),
  ]); // prettier-ignore
  expect(told[0]!.notices[0]).toMatchObject({ event: 'held', code: 'COMMAND_FAILED', next: expect.stringContaining('slipway retry a') as unknown }); // prettier-ignore
  expect(outcome).toMatchObject({
    verdict: 'released',
    status: { failedNotifications: [{ code: 'WEBHOOK_REFUSED' }] },
  });
});

test('given a payload that cannot be decoded, then it is refused like invalid input, and the run goes on', async () => {
  const strange = { metadata: { encoding: Buffer.from('binary/of-another-sdk') }, data: Buffer.from('\u0001') };
  const bomb = { metadata: { encoding: Buffer.from('binary/gzip') }, data: gzipSync(Buffer.alloc(64 * 1024 * 1024)) };
  const damaged = { ...bomb, data: bomb.data.subarray(0, 100) };
  const broken = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"step": ') };
  const one = aSkeleton([{ id: 'a' }, { id: 'report', after: [0] }]);
  const step = ({ step: id }: { step: string }) => {
    if (id === 'report') return ending;
    throw fail(aProblem());
  };
  const files: unknown[] = [];
  const activities = fakeActivities((file) => (files.push(file), one), step);
  const worker = await makeWorker(env, bundle, activities);
  await worker.runUntil(async () => {
    const { workflowService } = env.connection;
    const start = (workflowId: string, payload: typeof strange) =>
      workflowService.startWorkflowExecution({
        ...{ namespace: 'default', workflowId, workflowType: { name: RELEASE_WORKFLOW }, requestId: workflowId },
        ...{ taskQueue: { name: CONTROL }, input: { payloads: [payload] } },
      });
    await start('release/thing/4.0', strange);
    const handle = env.client.workflow.getHandle('release/thing/4.0');
    const until = async (so: (status: RunStatus) => boolean): Promise<RunStatus> => {
      for (;;) {
        const status = await statusOf(handle);
        if (so(status)) return status;
      }
    };
    await until(({ state }) => state === 'held');
    expect(files).toEqual([undefined]); // nothing that could be read: planning itself says so
    for (const payload of [strange, broken, bomb, damaged])
      await workflowService.signalWorkflowExecution({
        ...{ namespace: 'default', workflowExecution: { workflowId: 'release/thing/4.0' }, signalName: 'skip' },
        input: { payloads: [payload] },
      });
    const { refused } = await until((status) => status.refused?.length === 4);
    expect(refused!.map(({ code }) => code)).toEqual(Array(4).fill('ACTION_NOT_UNDERSTOOD'));
    await handle.executeUpdate('skip', { args: [{ step: 'a', reason: 'enough' }] });
    await handle.result();
  });
});

test('given a worker without the codec key, then its step fails with a code that names the key', async () => {
  const [key] = await readKeys({ SLIPWAY_CODEC_KEYS: '$KEYS', KEYS: newKeyLine('2026-11') });
  const keyed = { payloadCodecs: payloadCodecs([key!]) };
  const client = new Client({ connection: env.connection, dataConverter: keyed });
  const activities = fakeActivities(
    () => PAIR,
    () => ending,
  );
  const workflows = await makeWorker(env, bundle, {}, { dataConverter: keyed });
  const { nativeConnection: connection } = env;
  const steps = await Worker.create({ connection, taskQueue: CONTROL, activities, dataConverter: CONVERTER });
  const options = { workflowId: 'release/thing/5.0', taskQueue: CONTROL, args: [{ file: 'slipway.yaml' }] };
  const failed: unknown = await steps.runUntil(() =>
    workflows.runUntil(async () => {
      const handle = await client.workflow.start(RELEASE_WORKFLOW, options);
      for (;;) {
        const { problems } = await statusOf(handle);
        // Its end is not kept either, and that is tried for long: a worker with the key may come.
        if (problems.length > 0) return handle.terminate().then(() => problems);
      }
    }),
  );
  expect(failed).toMatchObject([{ code: 'CODEC_KEY_MISSING', class: 'config', message: expect.stringContaining('"2026-11"') as unknown }]); // prettier-ignore
});
