/** @needs temporal */
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { fail } from '../../src/model/failure.js';
import { CONTROL, FLEET } from '../../src/model/ids.js';
import type { RunOutcome } from '../../src/workflows/release.js';
import { aProblem, aSkeleton, RETRY, type Rough } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTimeSkipping } from '../temporal-env.js';
import { ending, fakeActivities, type FakeStep } from './fake-activities.js';

const MINUTE_MS = 60_000;
const HUB = 'target:hub';
/** Two further tries each: an outage that counted would end any of them. Their waits are long beside a task of the workflow: one that
 * is over while a task is under way, and is cancelled by it, leaves a run of this server's without a task for ever. */
const RETRIES = { ...RETRY, infra: { times: 2, waitMs: 60_000, atMostMs: 120_000 } };
const STEPS: readonly Rough[] = [
  { id: 'wheels/a', kind: 'buildWheel', stage: 'wheels' },
  { id: 'seal', kind: 'sealManifest', stage: 'seal', wants: [0] },
  { id: 'publish/hub/a', kind: 'publishArtifacts', stage: 'publish', needs: [1], services: [HUB] },
  { id: 'publish/hub/b', kind: 'publishArtifacts', stage: 'publish', needs: [1], services: [HUB] },
  { id: 'publish/index', kind: 'publishArtifacts', stage: 'publish', needs: [1], services: ['target:index'] },
  { id: 'verify/index', kind: 'verifyTarget', stage: 'verify', needs: [4], services: ['target:index'] },
  { id: 'verify/hub', kind: 'verifyTarget', stage: 'verify', needs: [2, 3], services: [HUB] },
  { id: 'point/latest', kind: 'movePointer', stage: 'point', needs: [5, 6], services: [HUB] },
  { id: 'report', kind: 'writeReport', stage: 'report', after: [7] },
];
const RELEASE = aSkeleton(STEPS.map((step) => ({ ...step, retry: RETRIES })));

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTimeSkipping();
});
afterAll(() => env.teardown());

/** Nobody watches the queues: a watch is an activity under way for as long as the run, and the clock would not skip. */
const noWatch = {
  watchFleet: () => Promise.reject(ApplicationFailure.nonRetryable('nobody watches')),
};

test('given a target that is down for 45 minutes while publishing, then the run ends by itself with everything published', async () => {
  let [awayUntilMs, indexDoneMs] = [0, 0];
  const sent: string[] = [];
  const tries: number[] = [];
  const step: FakeStep = ({ step: id }) => {
    const nowMs = Context.current().info.currentAttemptScheduledTimestampMs; // by the server's clock
    if (id.startsWith('publish/hub')) {
      awayUntilMs ||= nowMs + 45 * MINUTE_MS;
      tries.push(nowMs);
      if (nowMs < awayUntilMs) throw fail(aProblem({ class: 'infra', code: 'TARGET_UNREACHABLE', service: HUB }));
    }
    if (id === 'verify/index') indexDoneMs = nowMs;
    sent.push(id);
    return ending;
  };
  const activities = { ...fakeActivities(() => RELEASE, step), ...noWatch };
  const bundle = await bundleWorkflows();
  const workers = await Promise.all(
    [CONTROL, FLEET].map((taskQueue) => makeWorker(env, bundle, activities, { taskQueue })),
  );
  const handle = await workers[1]!.runUntil(
    workers[0]!.runUntil(async () => {
      const started = await env.client.workflow.start('release', {
        workflowId: 'release/thing/1.45',
        taskQueue: CONTROL,
        args: [{ file: 'slipway.yaml', onFailure: 'hold' }],
      });
      await started.result();
      return started;
    }),
  );
  const { verdict, status } = (await handle.result()) as RunOutcome;
  expect(verdict).toBe('released');
  expect(status.steps.map(({ state }) => state)).toEqual(RELEASE.steps.map(() => 'done'));
  // Each took effect once, and what does not need the target did not wait for it.
  expect([...sent].sort()).toEqual(RELEASE.steps.map(({ id }) => id).sort());
  expect(indexDoneMs).toBeLessThan(awayUntilMs - 44 * MINUTE_MS);
  const [outage] = status.outages!;
  expect(outage).toMatchObject({ service: HUB, steps: 2 });
  const lastedMs = outage!.until! - outage!.since;
  expect(lastedMs).toBeGreaterThan(44 * MINUTE_MS);
  expect(lastedMs).toBeLessThan(48 * MINUTE_MS);
  expect(status.verdict!.reasons).toEqual([expect.stringMatching(/^target:hub did not answer for 4\d min from /)]);
  // One at a time, ever more seldom: before it opened, then about one a minute and a half.
  expect(tries.length).toBeLessThan(60);
});
