/** @needs temporal */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { DYNAMIC_CONFIG } from '../../src/services/catalog/temporal.js';
import { startTemporal } from '../temporal-env.js';

const KEYS = ['history.defaultWorkflowTaskTimeout', 'history.workflowTaskRetryMaxInterval'] as const;
let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTemporal(
    undefined,
    KEYS.map((key) => `${key}=${DYNAMIC_CONFIG[key]}`),
  );
});
afterAll(() => env.teardown());

test('given the configuration of `slipway up`, when a run is started without a limit, then one workflow task may take half a minute', async () => {
  const start = { workflowId: 'release/thing/1.0', taskQueue: 'control', args: [{ file: 'slipway.yaml' }] };
  const { raw } = await (await env.client.workflow.start('release', start)).describe();
  expect(Number(raw.executionConfig?.defaultWorkflowTaskTimeout?.seconds)).toBe(30);
});

test('given the configuration of `slipway up`, when a workflow task fails again and again, then the server waits for no attempt longer than the limit and the addition', async () => {
  const { workflowService } = env.connection;
  const queue = { namespace: 'default', taskQueue: { name: 'failing' } };
  await env.client.workflow.start('unknown', { workflowId: 'unknown/1', taskQueue: 'failing' });
  const failNext = async (): Promise<number> => {
    const { taskToken, history } = await env.connection.withDeadline(Date.now() + 60_000, () =>
      workflowService.pollWorkflowTaskQueue(queue),
    );
    await workflowService.respondWorkflowTaskFailed({ namespace: 'default', taskToken });
    const scheduled = history!.events!.findLast((event) => event.workflowTaskScheduledEventAttributes)!;
    return Number(scheduled.workflowTaskScheduledEventAttributes!.startToCloseTimeout!.seconds);
  };
  const limits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt++) limits.push(await failNext());
  // The server takes up to a fifth off the addition.
  const [limit, addition] = KEYS.map((key) => Number.parseInt(DYNAMIC_CONFIG[key].slice(1), 10));
  expect(Math.max(...limits)).toBeGreaterThanOrEqual(limit! + addition! * 0.8);
  expect(Math.max(...limits)).toBeLessThanOrEqual(limit! + addition!);
});
