/** @long @needs temporal */
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Context } from '@temporalio/activity';
import { lookUpCached } from '../../src/activities/cache/look-up-cached.js';
import { keyOf, rememberResult } from '../../src/activities/step/reuse.js';
import type { Reuse, ReuseInput } from '../../src/model/reuse.js';
import { canonical } from '../../src/model/json.js';
import type { KindName } from '../../src/model/kinds.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Plan, Skeleton, Step, StepOf } from '../../src/model/plan.js';
import type { Result } from '../../src/model/result.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { aSkeleton, type Rough } from '../engine/a-skeleton.js';
import { aPlan, aStep, newHome, realSurroundings } from '../support/run-body.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities } from './fake-activities.js';
import { historiesOf } from './histories-of.js';
import { statusOf } from '../support/ask-run.js';

/** As much of a history as tells what was scheduled. */
interface Scheduling {
  readonly events?: readonly { activityTaskScheduledEventAttributes?: { activityType?: { name?: string } } }[];
}

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

let count = 0;
interface Ran {
  readonly status: RunStatus;
  /** Steps that were given to their queue. */
  readonly made: readonly string[];
  /** By type, over all histories of the run. */
  readonly activities: readonly string[];
}

async function carryOut(
  skeleton: Skeleton,
  reuse: Reuse,
  meanwhile: (handle: WorkflowHandle) => Promise<void> = async () => undefined,
  input: object = {},
): Promise<Ran> {
  const made: string[] = [];
  const fakes = fakeActivities(
    () => skeleton,
    ({ step }) => (made.push(step), ending),
  );
  const worker = await makeWorker(env, bundle, { ...fakes, lookUpCache: reuse });
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start('release', {
      workflowId: `release/known/1.${++count}`,
      taskQueue: 'control',
      args: [{ file: 'slipway.yaml', onFailure: 'fail', ...input }],
    });
    await meanwhile(handle);
    const { status } = (await handle.result()) as { status: RunStatus };
    const open = env.client.workflow.getHandle(handle.workflowId);
    const histories = await historiesOf(env.client, open, handle.firstExecutionRunId);
    const activities = histories.flatMap(({ history }) =>
      ((history as Scheduling).events ?? []).flatMap(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
      ),
    );
    return { status, made, activities };
  });
}

const LENGTH = 1000;

/** A plan whose every step but the last is known to a real store: a chain. */
async function knownChain() {
  const around = realSurroundings(await newHome());
  const steps = Array.from({ length: LENGTH }, (_, at) =>
    aStep('takeSdist', { project: `p${at}` }, { id: `s${at}`, needs: at > 0 ? [`s${at - 1}`] : [] }),
  );
  const report = aStep('writeReport', {}, { id: 'report', stage: 'report', after: steps.map(({ id }) => id) });
  const plan: Plan = aPlan({ steps: [...steps, report] as unknown as readonly Step[] });
  const { digest } = await around.store.put(asBytes(canonical(plan)));
  const writes: Promise<unknown>[] = [];
  let before: readonly Result[] = [];
  for (const step of steps as unknown as StepOf<KindName>[]) {
    const key = keyOf(plan, step, { inputs: before, toolchain: null, epoch: null }, around.hash);
    const facts = { at: writes.length };
    const made = { run: 'earlier', attempt: 1, at: '2026-11-21T12:00:00Z', ms: 5, worker: 'w' };
    const result: Result = {
      step: step.id,
      kind: step.kind,
      key,
      artifacts: [],
      facts,
      findings: [],
      note: 'known',
      made,
    };
    writes.push(rememberResult(around.store, result, around.hash));
    before = [result];
  }
  await Promise.all(writes);
  const skeleton = { ...skeletonOf(plan, digest, {}), reuse: true as const };
  const reuse: Reuse = (input) => lookUpCached(plan, input, around, Context.current().cancellationSignal);
  return { skeleton, reuse };
}

async function* asBytes(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

test('given a known chain of 1,000 steps, then at most 20 activities are scheduled, and no step goes to a queue', async () => {
  const { skeleton, reuse } = await knownChain();
  const { status, made, activities } = await carryOut(skeleton, reuse);
  expect(status.verdict).toEqual({ verdict: 'released', reasons: [] });
  expect(made).toEqual(['report']);
  expect(activities.length).toBeLessThanOrEqual(20);
});

/** A chain of what asks the world, longer than one history may be here, beside two steps that are known. */
const BESIDE = aSkeleton(
  [
    { id: 'known/a' },
    { id: 'known/b', needs: [0] },
    ...Array.from({ length: 40 }, (_, at): Rough => ({
      id: `p${at}`,
      kind: 'proveTarget',
      stage: 'prove',
      needs: at > 0 ? [at + 1] : [],
    })),
  ],
  { reuse: true },
);

test('given a lookup that runs when the history is long, then the run continues as new after it, and its steps are cached', async () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const asked: ReuseInput[] = [];
  const reuse: Reuse = async (input) => {
    asked.push(input);
    const beat = setInterval(() => Context.current().heartbeat(), 200);
    await opened.finally(() => clearInterval(beat));
    return { found: [[0, 1, 'known'], [1, 1, 'known']], unknown: [] }; // prettier-ignore
  };
  const { status, made } = await carryOut(
    BESIDE,
    reuse,
    async (handle) => {
      for (;;) {
        const { steps } = await statusOf(handle);
        if (steps.some(({ id, state }) => id === 'p5' && state === 'done')) break;
      }
      open();
    },
    { continueAfter: 60 },
  );
  expect(asked).toHaveLength(1);
  expect(status.history).toBeGreaterThan(1);
  expect(made).not.toContain('known/a');
  expect(status.steps.slice(0, 2).map(({ state }) => state)).toEqual(['cached', 'cached']);
  expect(status.verdict!.verdict).toBe('released');
});

test('given lookups that fail, then each step looks up its own result', async () => {
  const { status, made } = await carryOut(BESIDE, () => Promise.reject(new Error('no such luck')));
  expect(status.verdict!.verdict).toBe('released');
  expect(made).toEqual(expect.arrayContaining(['known/a', 'known/b']));
});

test('given steps that a lookup did not find, then they start at once, and no further lookup begins behind them', async () => {
  const walks: ReuseInput[] = [];
  const reuse: Reuse = async (input) => {
    walks.push(input);
    return { found: [], unknown: input.from };
  };
  const { made } = await carryOut(BESIDE, reuse);
  expect(made).toEqual(expect.arrayContaining(['known/a', 'known/b']));
  expect(walks).toHaveLength(1);
});
