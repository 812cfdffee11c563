/** @needs temporal */
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { fail } from '../../src/model/failure.js';
import { STATUS_QUERY } from '../../src/model/messages.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { CONVERTER } from '../support/converter.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { fakeActivities } from '../workflows/fake-activities.js';
import { doNotReplay } from '../support/diverging-runs.js';
import { historiesOf } from '../workflows/histories-of.js';
import { until } from '../workflows/until.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

/** Queries race with one workflow task for the worker's poll. In nearly every round one of them comes first. */
const ROUNDS = 20;
const QUERIES = 8;

/** A promise that somebody else resolves. */
class Signal<T = void> {
  resolve!: (value: T) => void;
  readonly promise = new Promise<T>((resolve) => (this.resolve = resolve));
}

/** Stops a workflow worker at the first activation that delivers what contains `sign`. */
class StopAt implements PayloadCodec {
  readonly reached = new Signal();
  readonly released = new Signal();

  constructor(private readonly sign: string) {}

  encode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads);
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    if (!payloads.some(({ data }) => data && Buffer.from(data).includes(this.sign))) return payloads;
    this.reached.resolve();
    await this.released.promise;
    return payloads;
  }
}

const STEPS = ['steps/first', 'steps/second'] as const;
type Step = (typeof STEPS)[number];

const ended = (handle: WorkflowHandle, step: Step): Promise<unknown> =>
  until(
    () => handle.describe(),
    ({ raw }) => !raw.pendingActivities?.some(({ activityId }) => activityId === step),
  );

const decided = (handle: WorkflowHandle): Promise<unknown> =>
  until(
    () => handle.describe(),
    ({ raw }) => !raw.pendingWorkflowTask,
  );

const stays = { maxCachedWorkflows: 1, stickyQueueScheduleToStartTimeout: 60_000 } satisfies Partial<WorkerOptions>;

/** The workflow worker ends; queries are asked; the first step ends. The next worker takes a query or the workflow task, and is
 * held there until the second step has ended. Where a query came first, the workflow task brings more than the query did. */
async function overtake(workflowBundle: { code: string }, workflowId: string): Promise<readonly string[]> {
  const [begins, ends] = [0, 1].map(() => new Map(STEPS.map((step) => [step, new Signal()] as const)));
  const activities = fakeActivities(
    () => aSkeleton(STEPS.map((id) => ({ id }))),
    async ({ step }) => {
      begins!.get(step as Step)!.resolve();
      await ends!.get(step as Step)!.promise;
      throw fail(aProblem({ message: `this is how ${step} failed` }));
    },
  );
  const end = (handle: WorkflowHandle, step: Step): Promise<unknown> => {
    ends!.get(step)!.resolve();
    return ended(handle, step);
  };
  const carrying = await Worker.create({
    ...{ connection: env.nativeConnection, taskQueue: 'control', dataConverter: CONVERTER },
    activities,
  });
  return carrying.runUntil(async () => {
    const handle = await env.client.workflow.start('release', {
      ...{ workflowId, taskQueue: 'control' },
      args: [{ file: 'slipway.yaml', onFailure: 'hold' }],
    });
    const first = await makeWorker(env, workflowBundle, {}, stays);
    await first.runUntil(() => Promise.all(STEPS.map((step) => begins!.get(step)!.promise)));
    const queries = Array.from({ length: QUERIES }, () => handle.query(STATUS_QUERY).catch(() => null));
    await pause(300); // for the queries to reach the server: too short, and this round provokes nothing
    await end(handle, STEPS[0]);
    const codec = new StopAt(`how ${STEPS[0]} failed`);
    const next = await makeWorker(
      env,
      workflowBundle,
      {},
      {
        ...stays,
        dataConverter: { payloadCodecs: [codec, ...CONVERTER.payloadCodecs] },
      },
    );
    await next.runUntil(async () => {
      await codec.reached.promise;
      await end(handle, STEPS[1]);
      codec.released.resolve();
      await decided(handle);
      await Promise.all(queries);
    });
    const recorded = await historiesOf(env.client, handle);
    await handle.terminate('the round is over');
    for (const { id, history } of recorded)
      await Worker.runReplayHistory({ workflowBundle, dataConverter: CONVERTER }, history, id);
    return recorded.flatMap(({ history }) => failuresIn(history as RawHistory));
  });
}

interface RawHistory {
  readonly events: readonly { readonly workflowTaskFailedEventAttributes?: { readonly cause: string } }[];
}
const failuresIn = ({ events }: RawHistory): readonly string[] =>
  events.flatMap(({ workflowTaskFailedEventAttributes: failed }) => (failed ? [failed.cause] : []));

const OURS = 'WORKFLOW_TASK_FAILED_CAUSE_BAD_SCHEDULE_ACTIVITY_ATTRIBUTES';

test('given a query that arrives before a workflow task, when the run continues, then its history replays', async () => {
  let failures: readonly string[] = [];
  for (let round = 0; failures.length === 0 && round < ROUNDS; round++)
    failures = await overtake(bundle, `release/guarded/1.${round}`);
  expect(failures).toEqual([OURS]); // none: no query came first in any round, and nothing was shown
});

test('given the same query without our guard, then the history does not replay', async () => {
  const without = { code: bundle.code.replace('isPremature = !asksOnly &&', 'isPremature = false &&') };
  expect(without.code).not.toBe(bundle.code);
  doNotReplay('release/unguarded/');
  const rounds = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) await overtake(without, `release/unguarded/1.${round}`);
  };
  await expect(rounds()).rejects.toThrow(/TMPRL1100/);
});
