/** @long @needs temporal */
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { startRun } from '../../src/client/start.js';
import { FLEET } from '../../src/model/ids.js';
import type { ReleaseInput } from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aSkeleton, type Rough } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, fakeWatch } from './fake-activities.js';
import { historiesOf } from './histories-of.js';

/** As `slipway up` starts a server. */
const FAIR = [
  'matching.enableFairness=true',
  ...['matching.numTaskqueueReadPartitions=1', 'matching.numTaskqueueWritePartitions=1'],
];
const QUEUE = 'linux-x86_64';
const WINDOW = 20;

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(undefined, FAIR), bundleWorkflows()]);
});
afterAll(() => env.teardown());

const RELEASES = [
  { version: 'a', priority: 3, steps: 100 },
  { version: 'b', priority: 3, steps: 100 },
  { version: 'nightly', priority: 5, steps: 20 },
  { version: 'hotfix', priority: 1, steps: 40 },
] as const;
const stepsOf = (version: string): number => RELEASES.find((one) => one.version === version)!.steps;

/** Named after its version, so that a plan that was made by a file of that name is told apart. */
const wide = (version: string): Skeleton =>
  aSkeleton(
    Array.from({ length: stepsOf(version) }, (_, at): Rough => ({ id: `steps/${version}-${at}`, on: QUEUE })),
    { version, windows: { [QUEUE]: WINDOW } },
  );

/** One slot for all; answers in which order steps were taken, by the letter of their release. No step ends before all releases have
 * as much at hand as they may: what is taken next is the server's choice, and not that of a run that was slow to give more. */
async function carryOut(): Promise<readonly string[]> {
  const taken: string[] = [];
  const handles = new Map<string, WorkflowHandle>();
  let go = (): void => undefined;
  const begun = new Promise<void>((resolve) => (go = resolve));
  const activities = fakeActivities(wide, async ({ step }) => {
    const version = step.slice('steps/'.length, step.indexOf('-'));
    const last = taken.at(-1);
    taken.push(version);
    await begun;
    if (last !== undefined)
      await filled(handles.get(last)!, stepsOf(last) - count(taken, last) + Number(last === version));
    return ending;
  });
  const control = await makeWorker(env, bundle, activities);
  const slot = await makeWorker(env, bundle, activities, { taskQueue: QUEUE, maxConcurrentActivityTaskExecutions: 1 });
  const watch = await makeWorker(env, bundle, fakeWatch(), { taskQueue: FLEET, shutdownGraceTime: 0 });
  const startAll = async (): Promise<void> => {
    for (const { version, priority, steps } of RELEASES) {
      const input = { file: version, name: 'thing', version, rehearsal: false, priority };
      const { workflowId } = await startRun({ client: env.client, address: '' }, input);
      handles.set(version, env.client.workflow.getHandle(workflowId));
      await filled(handles.get(version)!, steps);
    }
    go();
    await Promise.all([...handles.values()].map((handle) => handle.result()));
  };
  await control.runUntil(() => watch.runUntil(() => slot.runUntil(startAll)));
  return taken;
}

/** @param left steps of the run that have not ended */
async function filled(handle: WorkflowHandle, left: number): Promise<void> {
  for (;;) {
    const { raw } = await handle.describe();
    const steps = (raw.pendingActivities ?? []).filter(({ activityId }) => activityId?.startsWith('steps/'));
    if (steps.length === Math.min(WINDOW, left)) return;
  }
}

const count = (taken: readonly string[], version: string): number => taken.filter((one) => one === version).length;

test('given two releases, then they share a slot fairly; a hotfix precedes them and a nightly follows', async () => {
  const taken = await carryOut();
  expect(taken).toHaveLength(260);
  const before = (version: string, last: string): number => count(taken.slice(0, taken.lastIndexOf(last)), version);
  // The step that held the slot when the others came.
  expect([before('a', 'hotfix'), before('b', 'hotfix'), before('nightly', 'hotfix')]).toEqual([1, 0, 0]);
  expect([before('nightly', 'a'), before('nightly', 'b')]).toEqual([0, 0]);
  // First come, first served, the first would be far ahead of the second.
  const ahead = taken.map((_, at) => count(taken.slice(0, at + 1), 'a') - count(taken.slice(0, at + 1), 'b'));
  expect(Math.max(...ahead.map(Math.abs))).toBeLessThan(WINDOW / 4);
});

interface Scheduled {
  readonly activityId: string;
  readonly priority?: { readonly priorityKey?: number; readonly fairnessKey?: string };
}

/** What the run asked of the server with each step, by its id. */
async function asked(skeleton: Skeleton, start: (args: ReleaseInput) => Promise<WorkflowHandle>) {
  const worker = await makeWorker(
    env,
    bundle,
    fakeActivities(
      () => skeleton,
      () => ending,
    ),
  );
  return worker.runUntil(async () => {
    const started = await start({ file: 'slipway.yaml', continueAfter: 60 });
    const handle = env.client.workflow.getHandle(started.workflowId);
    const first = (await handle.describe()).runId;
    await handle.result();
    const histories = (await historiesOf(env.client, handle, first)) as readonly {
      history: { events: readonly { activityTaskScheduledEventAttributes?: Scheduled }[] };
    }[];
    const events = histories.flatMap(({ history }) => history.events);
    const scheduled = events.flatMap(({ activityTaskScheduledEventAttributes: one }) => one ?? []);
    const said = scheduled.filter(({ activityId }) => /^(steps|publish)\//.test(activityId));
    return { histories: histories.length, said: new Map(said.map((one) => [one.activityId, one.priority ?? {}])) };
  });
}

const LONG = (version: string): Skeleton =>
  aSkeleton(
    [
      ...Array.from({ length: 16 }, (_, at): Rough => ({ id: `steps/s${at}`, needs: at > 0 ? [at - 1] : [] })),
      { id: 'publish/index', kind: 'publishArtifacts', stage: 'publish', needs: [15] },
    ],
    { version },
  );

test("given a run's priority, then steps inherit it, and outside effects have at least the default priority", async () => {
  const { said, histories } = await asked(LONG('d'), async (input) => {
    const { workflowId } = await startRun(
      { client: env.client, address: '' },
      { ...input, name: 'thing', version: 'd', rehearsal: false, priority: 5 },
    );
    return env.client.workflow.getHandle(workflowId);
  });
  expect(histories).toBeGreaterThan(1);
  expect(said.size).toBe(17);
  for (const [step, priority] of said) expect(priority).toEqual(step === 'publish/index' ? { priorityKey: 3 } : {});
});

test('given a run started by hand, then its steps have the priority of its input', async () => {
  const { said, histories } = await asked(LONG('e'), (input) =>
    env.client.workflow.start('release', {
      ...{ workflowId: 'release/thing/e', taskQueue: 'control', args: [{ ...input, priority: 1 }] },
    }),
  );
  expect(histories).toBeGreaterThan(1);
  const [first] = said.values();
  expect(first).toEqual({ priorityKey: 1, fairnessKey: expect.stringMatching(/^[0-9a-f]{8}$/) });
  for (const priority of said.values()) expect(priority).toEqual(first);
});
