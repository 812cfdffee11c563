/** @long @needs temporal */
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { fail } from '../../src/model/failure.js';
import { CONTROL, FLEET } from '../../src/model/ids.js';
import type { RunStatus } from '../../src/model/messages.js';
import { aProblem, aSkeleton, RETRY } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTimeSkipping } from '../temporal-env.js';
import { fakeActivities, type FakeStep } from './fake-activities.js';

const MINUTE_MS = 60_000;
const TESTS = 433;
/** `retry: { infra: { times: 1, wait: 30m..90m } }` */
const RANGE = { waitMs: 30 * MINUTE_MS, waitToMs: 90 * MINUTE_MS, atMostMs: 90 * MINUTE_MS };
const INFRA = { times: 1, ...RANGE, togetherMs: MINUTE_MS };
const NIGHT = aSkeleton(
  Array.from({ length: TESTS }, (_, at) => ({
    ...{ id: `tests/t${at}`, kind: 'runTest' as const, stage: 'tests' as const, onFailure: 'tell' as const },
    retry: { ...RETRY, infra: INFRA },
  })),
  { pipeline: true, retries: 1000, windows: { control: 32 } },
);

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTimeSkipping();
});
afterAll(() => env.teardown());

test('given 433 tests that fail and wait 30 to 90 minutes, then one timer serves them, with at most 12 events a test', async () => {
  const begunMs = new Map<string, number[]>();
  const step: FakeStep = ({ step: id }) => {
    const nowMs = Context.current().info.currentAttemptScheduledTimestampMs; // by the server's clock
    begunMs.set(id, [...(begunMs.get(id) ?? []), nowMs]);
    throw fail(aProblem({ class: 'infra', code: 'NODES_MISSING' }));
  };
  const watchFleet = () => Promise.reject(ApplicationFailure.nonRetryable('nobody watches'));
  const activities = { ...fakeActivities(() => NIGHT, step), watchFleet };
  const bundle = await bundleWorkflows();
  const workers = await Promise.all(
    [CONTROL, FLEET].map((taskQueue) => makeWorker(env, bundle, activities, { taskQueue })),
  );
  const { status, events, timers } = await workers[1]!.runUntil(
    workers[0]!.runUntil(async () => {
      const handle = await env.client.workflow.start('pipeline', {
        ...{ workflowId: 'pipeline/thing/R1', taskQueue: CONTROL, args: [{ file: 'slipway.yaml' }] },
      });
      await handle.result().catch(() => undefined);
      const { events: all = [] } = await handle.fetchHistory();
      const told = await handle.query<RunStatus>('status');
      const started = (all ?? []).filter((event) => event.timerStartedEventAttributes);
      return { status: told, events: (all ?? []).length, timers: started.length };
    }),
  );
  const waits = [...begunMs.values()].map(([first, second]) => second! - first!);
  expect(status.verdict?.verdict).toBe('failed');
  expect(waits).toHaveLength(TESTS);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(30 * MINUTE_MS);
  expect(timers).toBeLessThan(TESTS / 4);
  expect(events / TESTS).toBeLessThanOrEqual(12);
});
