/** @needs temporal */
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createKeepAudit } from '../../src/activities/report/keep-status.js';
import { createPerform } from '../../src/activities/step/perform.js';
import type { Body } from '../../src/activities/work.js';
import { once } from '../../src/adapters/facts/index.js';
import { makeHomeKeys } from '../../src/adapters/home-keys/make.js';
import { openHomeKeys } from '../../src/adapters/home-keys/open.js';
import { provedStore } from '../../src/adapters/home-keys/proved-store.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { CONTROL } from '../../src/model/ids.js';
import { canonical } from '../../src/model/json.js';
import type { KindName } from '../../src/model/kinds.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { records } from '../../src/model/run-folder.js';
import { aRule } from '../engine/a-gate.js';
import { aSkeleton } from '../engine/a-skeleton.js';
import { aPlan, aResult, aStep, newHome, realSurroundings } from '../support/run-body.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities } from '../workflows/fake-activities.js';
import { until } from '../workflows/until.js';
import { statusOf } from '../support/ask-run.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
const connections: NativeConnection[] = [];
afterAll(async () => {
  for (const connection of connections) await connection.close();
  await env.teardown();
});

const STEPS = [
  { id: 'seal/manifest', kind: 'sealManifest', stage: 'seal' },
  { id: 'gates/ship', kind: 'passGate', stage: 'gates', needs: [0] },
  { id: 'publish/index', kind: 'publishArtifacts', stage: 'publish', needs: [0, 1] },
] as const;

const start = (version: string): Promise<WorkflowHandle> =>
  env.client.workflow.start('release', {
    ...{ workflowId: `release/thing/${version}`, taskQueue: CONTROL, args: [{ file: 'slipway.yaml' }] },
  });
const atEnd = ({ state }: RunStatus): boolean => state === 'ended' || state === 'held';

/** A process of its own as Temporal sees it: only activities, over its own connection. */
async function activityWorker(activities: object, identity: string): Promise<Worker> {
  const connection = await NativeConnection.connect({ address: env.address });
  connections.push(connection);
  return Worker.create({ connection, taskQueue: CONTROL, activities, identity, shutdownGraceTime: 0 });
}

test('[H7] given a rogue control worker that forges a passed gate and its record, then nothing is published, and the run goes on', async () => {
  const home = await newHome();
  makeHomeKeys(join(home, 'keys'));
  const bare = createDirectoryStore(join(home, 'store'));
  const store = provedStore(bare, openHomeKeys(join(home, 'keys')));
  const plan = aPlan({
    release: { name: 'thing', version: '1.0' },
    steps: [
      aStep('sealManifest', {}, { id: 'seal/manifest' }),
      aStep('passGate', aRule(), { id: 'gates/ship', needs: ['seal/manifest'] }),
      aStep('publishArtifacts', {} as never, { id: 'publish/index', needs: ['seal/manifest', 'gates/ship'] }),
    ],
  });
  const skeleton = aSkeleton(STEPS, { plan: (await store.put(once(canonical(plan)))).digest });

  const did: string[] = [];
  const perform = createPerform(realSurroundings(home, { store, worker: 'control@ours' }));
  const honest = (before?: () => Promise<void>) => ({
    ...fakeActivities(
      () => skeleton,
      () => ending,
    ),
    keepAudit: createKeepAudit(store),
    ...Object.fromEntries(
      STEPS.map(({ id, kind }) => [
        kind,
        perform((async () => {
          did.push(id);
          await before?.();
          return { artifacts: [], facts: { manifest: skeleton.plan }, note: id };
        }) as Body<KindName>),
      ]),
    ),
  });

  const workflows = await Worker.create({
    ...{ connection: env.nativeConnection, taskQueue: CONTROL, workflowBundle: bundle },
    stickyQueueScheduleToStartTimeout: 200,
  });
  await workflows.runUntil(async () => {
    // Ours seals, and is then away: the next task of its queue goes to whoever asks.
    const first: Worker = await activityWorker(
      honest(async () => first.shutdown()),
      'control@ours/1',
    );
    const sealed = first.run();
    const handle = await start('1.0');
    await sealed;

    const { run } = await statusOf(handle);
    const rogue: Worker = await activityWorker(
      {
        passGate: async () => {
          const result = aResult({ id: 'gates/ship', kind: 'passGate' }, { facts: { approvals: [{ by: 'kim' }] } });
          await bare.create(records.result(run, 'gates/ship'), result);
          rogue.shutdown();
          return { outcome: 'done', ms: 1, worker: 'control@ours', note: 'approved by kim (core)' };
        },
      },
      'control@ours/1',
    );
    await rogue.run();
    await until(
      () => statusOf(handle),
      ({ steps }) => steps[1]?.state === 'done',
    );

    const second = await activityWorker(honest(), 'control@ours/2');
    await second.runUntil(async () => {
      const held = await until(() => statusOf(handle), atEnd);
      expect(held.steps[2]).toMatchObject({
        state: 'held',
        problems: [
          {
            ...{ code: 'RECORD_NOT_PROVED', class: 'denied' },
            message: expect.stringContaining("results/gates/ship carries no proof by this home's control key"),
            next: expect.stringContaining('slipway retry --from gates/ship'),
          },
        ],
      });
      expect(did).toEqual(['seal/manifest']);
      await handle.executeUpdate('send', { args: [{ action: 'retry', from: 'gates/ship', by: 'ann' }] });
      await handle.result();
      expect(did).toEqual(['seal/manifest', 'gates/ship', 'publish/index']);
    });
  });
});

/** Answers of a rogue worker, each once; afterwards a worker of ours takes the task. */
interface Rogue {
  readonly activity: string;
  answer(): unknown;
  readonly skeleton?: Partial<Skeleton>;
}

/** Plays a run in which the first answer to an activity is a rogue's; returns the last status and how often each step was begun. */
async function play(version: string, { activity, answer, skeleton: over = {} }: Rogue) {
  const began: string[] = [];
  const skeleton = aSkeleton(STEPS, { version, ...over });
  const ours = {
    ...fakeActivities(
      () => skeleton,
      ({ step }) => (began.push(step), ending),
    ),
    lookUpCache: async () => ({ found: [], unknown: [0] }),
  } as Record<string, (...input: unknown[]) => Promise<unknown>>;
  let answered = false;
  const activities = {
    ...ours,
    [activity]: async (...input: unknown[]) => {
      if (answered) return ours[activity]!(...input);
      answered = true;
      return answer();
    },
  };
  const worker = await makeWorker(env, bundle, activities);
  const status = await worker.runUntil(async () => {
    const handle = await start(version);
    return until(() => statusOf(handle), atEnd);
  });
  return { status, began, answered };
}

/** Its first step is looked up. */
const BEHIND_A_STEP = aSkeleton([{ id: 'steps/a' }, ...STEPS.slice(1).map((step) => ({ ...step, needs: [0] }))]);

const bomb = { packed: 2, count: 1, shapes: [], gates: [], numbers: '0+99999999', ids: [], shape: '' };
test.each<[what: string, rogue: Rogue]>([
  ['an invalid ending', { activity: 'passGate', answer: () => ({ outcome: 'released', ms: -1 }) }],
  ['nothing at all', { activity: 'sealManifest', answer: () => undefined }],
  ['a plan that fills the memory', { activity: 'makePlan', answer: () => bomb }],
  ['a plan without steps', { activity: 'makePlan', answer: () => ({ plan: 'x', steps: 'none' }) }],
  [
    'that a gate and an upload are known',
    {
      activity: 'lookUpCache',
      answer: () => ({ found: [0, 1, 2].map((step) => [step, 0, '']), unknown: [] }),
      skeleton: { reuse: true, steps: BEHIND_A_STEP.steps },
    },
  ],
])('[H7] given a rogue worker that answers with %s, then it is refused, and the run goes on', async (what, rogue) => {
  const { status, began, answered } = await play(`2.${what.length}`, rogue);
  expect(answered).toBe(true);
  expect(status.verdict?.verdict).toBe('released');
  expect(began.filter((step) => !step.startsWith('s'))).toEqual(['gates/ship', 'publish/index']);
});
