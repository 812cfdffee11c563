/** @needs temporal */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { DYNAMIC_CONFIG } from '../../src/services/catalog/temporal.js';
import { startTemporal } from '../temporal-env.js';

const KEY = 'history.defaultWorkflowTaskTimeout';
let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTemporal(undefined, [`${KEY}=${DYNAMIC_CONFIG[KEY]}`]);
});
afterAll(() => env.teardown());

test('given the configuration of `slipway up`, when a run is started without a limit, then one workflow task may take half a minute', async () => {
  const start = { workflowId: 'release/thing/1.0', taskQueue: 'control', args: [{ file: 'slipway.yaml' }] };
  const { raw } = await (await env.client.workflow.start('release', start)).describe();
  expect(Number(raw.executionConfig?.defaultWorkflowTaskTimeout?.seconds)).toBe(30);
});
