/** @long @needs temporal */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { packageRoot } from '../../src/adapters/home.js';
import { codecPort } from '../../src/adapters/temporal/codec/index.js';
import type { RunStatus } from '../../src/model/messages.js';
import { aSkeleton } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities } from '../workflows/fake-activities.js';
import { statusOf } from '../support/ask-run.js';

const WORKFLOW = 'release/large/1.0';
const LAST = 'steps/s999';
const PLAN_EVENT = 'activityTaskCompletedEventAttributes';
let env: TestWorkflowEnvironment;
let ended: RunStatus;

beforeAll(async () => {
  const [started, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
  env = started;
  const skeleton = aSkeleton(Array.from({ length: 1000 }, (_, no) => ({ id: `steps/s${no}` })));
  const activities = fakeActivities(
    () => skeleton,
    () => ending,
  );
  const worker = await makeWorker(env, bundle, activities);
  ended = await worker.runUntil(async () => {
    const start = { workflowId: WORKFLOW, taskQueue: 'control', args: [{ file: 'slipway.yaml' }] };
    const handle = await env.client.workflow.start('release', start);
    await handle.result();
    return statusOf(handle);
  });
});
afterAll(() => env.teardown());

/** The run as Temporal's own command line tool shows it, with payloads as text. */
async function shown(...more: readonly string[]): Promise<string> {
  const argv = ['workflow', 'show', '--output', 'json', '-w', WORKFLOW, '--address', env.address, ...more];
  const options = { maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(join(packageRoot(), '.tools/bin/temporal'), argv, options);
  const texts = [...stdout.matchAll(/"data": "([^"]*)"/g)].map(([, data]) => Buffer.from(data!, 'base64').toString());
  return texts.join('\n');
}

test('given a run of 1,000 steps, then its plan and status are compressed in history, and all steps are reported', async () => {
  const { events } = await env.client.workflow.getHandle(WORKFLOW).fetchHistory();
  const plan = events!.find((event) => event[PLAN_EVENT])?.[PLAN_EVENT]?.result?.payloads?.[0];
  expect(Buffer.from(plan!.metadata!['encoding']!).toString()).toBe('binary/gzip');
  expect(plan!.data!.length).toBeLessThan(20_000);
  expect(ended.steps.map(({ state }) => state)).toEqual(Array(1000).fill('done'));
});

test('given no keys, then Temporal’s command line reads large payloads by the codec server, and small ones without it', async () => {
  const server = await codecPort({}).serve(0, []);
  try {
    const plain = await shown();
    expect([plain.includes('slipway.yaml'), plain.includes(`"id":"${LAST}"`)]).toEqual([true, false]);
    expect(await shown('--codec-endpoint', server.address)).toContain(`"id":"${LAST}"`);
  } finally {
    await server.close();
  }
});
