/** @long @needs temporal */
import { gzipSync } from 'node:zlib';
import { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bytesOf } from '../../src/adapters/temporal/codec/payload-bytes.js';
import { connect } from '../../src/client/connect.js';
import type { ReleaseClient } from '../../src/client/index.js';
import { fail } from '../../src/model/failure.js';
import type { RunStatus } from '../../src/model/messages.js';
import { MOST_ACTION_BYTES } from '../../src/model/actions.js';
import { LIMITS, LOST_TASK } from '../../src/services/catalog/temporal.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { until } from '../support/until.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities } from '../workflows/fake-activities.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
let client: ReleaseClient;
const reported: string[] = [];

beforeAll(async () => {
  const limits = Object.entries({ ...LIMITS, ...LOST_TASK }).map(([name, value]) => `${name}=${value}`);
  [env, bundle] = await Promise.all([startTemporal(undefined, limits), bundleWorkflows()]);
  client = await connect({ address: env.address });
});
afterAll(async () => {
  await client?.close();
  await env?.teardown();
});

/** A run that is held at its one step. Its report comes after all. */
async function held(version: string, act: (workflowId: string) => Promise<void>): Promise<RunStatus> {
  const skeleton = aSkeleton([{ id: 'wheels/a' }, { id: 'report', after: [0] }]);
  const activities = fakeActivities(
    () => skeleton,
    ({ step }) => {
      if (step === 'wheels/a') throw fail(aProblem());
      reported.push(version);
      return ending;
    },
  );
  const worker = await makeWorker(env, bundle, activities);
  return worker.runUntil(async () => {
    const started = await client.start({ name: 'flooded', version, rehearsal: false, file: 'slipway.yaml' });
    // A skip that came before would be refused.
    await until(async () => (await client.status(started.workflowId)).state === 'held');
    await act(started.workflowId);
    await env.client.workflow
      .getHandle(started.workflowId)
      .result()
      .catch(() => undefined);
    return client.status(started.workflowId);
  });
}

/** As a signal: it waits for a busy worker as long as it takes. */
const skip = (workflowId: string): Promise<void> =>
  env.client.workflow.getHandle(workflowId).signal('skip', { step: 'wheels/a', reason: 'left out' });

const text = (bytes: number): string => 'x'.repeat(bytes);
/** The sender compresses nothing. */
const signal = (workflowId: string, bytes: number): Promise<string> =>
  new Client({ connection: env.connection }).workflow
    .getHandle(workflowId)
    .signal('note', { reason: text(bytes) })
    .then(
      () => 'taken',
      (error: { cause?: { details?: string } }) => error.cause?.details ?? String(error),
    );

test('[H8] given 29 signals of 1.9 MB, then the server refuses each, and the run goes on to its report', async () => {
  const status = await held('1.0', async (workflowId) => {
    for (let n = 0; n < 29; n++) expect(await signal(workflowId, 1_900_000)).toMatch(/exceeds limit/);
    await skip(workflowId);
  });
  expect(status.verdict?.verdict).toBe('released');
  expect(reported).toContain('1.0');
});

test('[H8] given 40 accepted signals, 60 MB of history, then the run goes on to its report', async () => {
  const status = await held('1.1', async (workflowId) => {
    for (let n = 0; n < 40; n++) expect(await signal(workflowId, 1_500_000)).toBe('taken');
    await skip(workflowId);
  });
  expect(status.verdict?.verdict).toBe('released');
  expect(reported).toContain('1.1');
});

test('[H8] given 40 signals of 30 kB that decompress to 30 MB, then none is decompressed, and the run goes on to its report', async () => {
  const bomb = gzipSync(bytesOf(defaultPayloadConverter.toPayload({ step: 'wheels/a', reason: text(30_000_000) })));
  const payloads = [{ metadata: { encoding: Buffer.from('binary/gzip') }, data: bomb }];
  const status = await held('1.3', async (workflowId) => {
    const to = { namespace: 'default', workflowExecution: { workflowId }, signalName: 'skip', input: { payloads } };
    for (let n = 0; n < 40; n++) await env.connection.workflowService.signalWorkflowExecution(to);
    const { refused } = await until(async () => {
      const now = await client.status(workflowId);
      return now.state === 'held' && now.refused !== undefined && now;
    });
    expect(new Set(refused!.map(({ code }) => code))).toEqual(new Set(['ACTION_NOT_UNDERSTOOD']));
    await skip(workflowId);
  });
  expect(status.verdict?.verdict).toBe('released');
  expect(reported).toContain('1.3');
});

test('[H8] given actions over 64 kB, then the client refuses to send them, and the run refuses them as Updates', async () => {
  const long = { action: 'note', reason: text(MOST_ACTION_BYTES) } as const;
  const status = await held('1.2', async (workflowId) => {
    const refused = { problems: [{ code: 'ACTION_TOO_LONG', class: 'config' }] };
    await expect(client.act(workflowId, long)).rejects.toMatchObject(refused);
    await expect(client.cancel(workflowId, long.reason)).rejects.toMatchObject(refused);
    const update = env.client.workflow.getHandle(workflowId).executeUpdate('send', { args: [long] });
    await expect(update).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/^ACTION_TOO_LONG: the action has/) },
    });
    expect(await client.act(workflowId, { ...long, reason: text(1_000) })).toMatchObject({ ok: true });
    await skip(workflowId);
  });
  expect(status.verdict?.verdict).toBe('released');
});
