import { fail } from '../../src/model/failure.js';
import { CANCEL_SIGNAL, STATUS_QUERY, type ReleaseInput, type RunStatus, type StepState } from '../../src/model/messages.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { FleetSeen } from '../../src/model/worker.js';
import type { Digest } from '../../src/model/digest.js';
import type { HeardAt, VetInput } from '../../src/model/gate.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aRule, aSigner, aYes } from '../engine/a-gate.js';
import { aProblem, aSkeleton, RETRY } from '../engine/a-skeleton.js';
import { ending, untilAborted, type FakeStep } from '../workflows/fake-activities.js';

/** A run worth keeping: what it carried out, what its steps did, what was said to it. */
export interface Scenario {
  readonly skeleton: Skeleton;
  /** Default: that of the skeleton. */
  readonly workflowId?: string;
  readonly input?: Partial<ReleaseInput>;
  readonly step: FakeStep;
  /** What is seen of the queues, in turn; then nothing changes any more. */
  readonly seen?: readonly FleetSeen[];
  /** What looks into actions at gates; else there are none. */
  readonly gates?: object;
  readonly meanwhile?: (handle: WorkflowHandle) => Promise<void>;
}

const GRAPH = aSkeleton(
  [
    { id: 'source', kind: 'fetchSource', stage: 'source' },
    { id: 'wheels/a/cp311', kind: 'buildWheel', stage: 'wheels', on: 'linux-x86_64', needs: [0] },
    { id: 'wheels/a/cp312', kind: 'buildWheel', stage: 'wheels', on: 'linux-x86_64', needs: [0] },
    { id: 'tests/a', kind: 'runTest', stage: 'tests', on: 'linux-x86_64', needs: [1] },
    { id: 'seal', kind: 'sealManifest', stage: 'seal', wants: [1, 2, 3] },
    { id: 'publish/index', kind: 'publishArtifacts', stage: 'publish', needs: [4] },
    { id: 'point/latest', kind: 'movePointer', stage: 'point', needs: [5] },
    { id: 'report', kind: 'writeReport', stage: 'report', after: [0, 1, 2, 3, 4, 5, 6] },
  ],
  { windows: { control: 4, 'linux-x86_64': 1 }, dropped: [{ id: 'wheels/a/cp313', because: 'not yet' }] },
);

const PRODUCT = { ...RETRY, product: { times: 1, waitMs: 0, atMostMs: 0 } };
/** A night: two places for three tests, a jailed test, standings and a report. */
const NIGHT = aSkeleton(
  [
    { id: 'wheels/a/cp311', kind: 'takeWheel', stage: 'wheels' },
    ...['flaky', 'jailed', 'red'].map((name) => ({
      ...{ id: `tests/${name}`, kind: 'runOnCluster' as const, stage: 'tests' as const, on: 'linux-x86_64', needs: [0] },
      ...{ onFailure: 'tell' as const, retry: PRODUCT, pool: { name: 'small', limit: 2 } },
      ...(name === 'jailed' && { tolerate: 'jailed: core until 2026-12-06, issue 7' }),
    })),
    { id: 'steps/after-red', needs: [3], onFailure: 'tell' },
    { id: 'report/standings', kind: 'keepStandings', stage: 'report', after: [1, 2, 3] },
    {
      ...{ id: 'reports/issues', kind: 'reportTests', stage: 'report', after: [5], onFailure: 'tell' },
      services: ['target:reports.issues'],
    },
    { id: 'report/run', kind: 'writeReport', stage: 'report', after: [0, 1, 2, 3, 4, 5, 6] },
  ],
  { pipeline: true, version: '2026-11-22', windows: { control: 4, 'linux-x86_64': 4 } },
);

/** A night of builds, each listed as soon as it is built. A check of the list wants them all. */
const CACHE = aSkeleton(
  [
    { id: 'prove/queue/control', kind: 'proveQueue', stage: 'prove', onFailure: 'tell' },
    ...['broken', 'sound'].map((name) => ({
      ...{ id: `wheels/${name}`, kind: 'buildWheel' as const, stage: 'wheels' as const, on: 'linux-x86_64', wants: [0] },
      onFailure: 'tell' as const,
    })),
    ...[1, 2].map((wheel) => ({
      ...{ id: `publish/cache/${wheel}`, kind: 'publishArtifacts' as const, stage: 'publish' as const },
      ...{ needs: [wheel], onFailure: 'tell' as const },
    })),
    { id: 'verify/cache', kind: 'verifyTarget', stage: 'verify', wants: [0, 1, 2, 3, 4], onFailure: 'tell' },
    { id: 'report/run', kind: 'writeReport', stage: 'report', after: [0, 1, 2, 3, 4, 5] },
  ],
  { pipeline: true, version: '2026-11-23', windows: { control: 4, 'linux-x86_64': 4 } },
);

/** Attempts of the report: those of an outage have one number. */
let reported = 0;

const held = (handle: WorkflowHandle, id: string): Promise<void> => until(handle, id, 'held');

async function until(handle: WorkflowHandle, id: string, state: StepState): Promise<void> {
  for (;;) {
    // Refused while the run loads its checkpoint.
    const status = await handle.query<RunStatus>(STATUS_QUERY).catch(() => null);
    if (status?.steps.some((step) => step.id === id && step.state === state)) return;
  }
}

const SEALED = `sha256:${'5e'.repeat(32)}` as const;
const GATED = aSkeleton([
  { id: 'seal', kind: 'sealManifest', stage: 'seal' },
  { id: 'gates/ship', kind: 'passGate', stage: 'gates', needs: [0], gate: aRule({ quorum: 2, soakMs: 1500 }) },
  { id: 'publish/index', kind: 'publishArtifacts', stage: 'publish', needs: [0, 1] },
  { id: 'report', kind: 'writeReport', stage: 'report', after: [0, 1, 2] },
]);

const TARGETS = [{ name: 'index', kind: 'python', address: 'https://index.example/', repository: null }] as const;
const textOf = ({ no }: HeardAt): Digest => `sha256:${String(no).padStart(64, '0')}`;

/** Unsigned, approved, rejected, asked again, approved by two. */
async function throughTheGate(handle: WorkflowHandle): Promise<void> {
  await until(handle, 'gates/ship', 'at gate');
  await handle.signal('approve', { gate: 'ship', manifest: SEALED, by: 'nobody' });
  await handle.executeUpdate('approve', { args: [aYes()] });
  await handle.executeUpdate('send', { args: [{ ...aYes({ by: 'lee' }), action: 'reject', reason: 'typo' }] });
  await until(handle, 'gates/ship', 'held');
  await handle.executeUpdate('retry', { args: [{ step: 'gates/ship', by: 'ann' }] });
  await until(handle, 'gates/ship', 'at gate');
  await Promise.all(['kim', 'ann'].map((by) => handle.executeUpdate('send', { args: [aYes({ by })] })));
}

/** Longer than one history, which may have 60 events. */
const LONG = aSkeleton([
  ...Array.from({ length: 16 }, (_, step) => ({ id: `steps/s${step}`, needs: step > 0 ? [step - 1] : [] })),
  { id: 'begun early, stopped' },
  { id: 'report', kind: 'writeReport', stage: 'report', after: Array.from({ length: 17 }, (_, step) => step) },
]);

/** Two steps are held: one is retried, the other is skipped after a refusal. */
const HELD: Scenario = {
  skeleton: GRAPH,
  step: ({ step, attempt }) => {
    if (step === 'source' && attempt === 1) throw fail(aProblem());
    if (step === 'wheels/a/cp312') throw fail(aProblem());
    return ending;
  },
  meanwhile: async (handle) => {
    await held(handle, 'source');
    await handle.executeUpdate('retry', { args: [{ step: 'source', by: 'ann' }] });
    await held(handle, 'wheels/a/cp312');
    await handle.signal('retry', { step: 7 });
    await handle.signal('skip', { step: 'wheels/a/cp312', reason: 'not today', by: 'ann' });
  },
};

/** Scenarios by the name of their recorded history. A run that continued as new has several files. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  released: { skeleton: GRAPH, step: () => ending },
  'failed-after-retries': {
    skeleton: GRAPH,
    input: { onFailure: 'fail' },
    step: ({ step, attempt }) => {
      if (step === 'source' && attempt === 1) throw fail(aProblem({ class: 'infra', code: 'REGISTRY_BUSY' }));
      if (step === 'tests/a') throw fail(aProblem());
      return ending;
    },
  },
  waited: {
    skeleton: { ...GRAPH, steps: GRAPH.steps.map((step) => ({ ...step, waitMs: 3_600_000 })) },
    seen: [
      { unserved: [{ queue: 'linux-x86_64', since: 1_700_000_000_000 }], slots: {} },
      { unserved: [], slots: {} },
    ],
    step: async ({ step }) => {
      // Long enough for both changes to reach the run while it still goes on.
      if (step.startsWith('wheels/')) await new Promise((resolve) => setTimeout(resolve, 600));
      return ending;
    },
  },
  held: HELD,
  'retried-late': { ...HELD, input: { engine: 5 } },
  gated: {
    skeleton: GATED,
    gates: {
      openGate: async () => ({ manifest: SEALED, earlier: [], targets: TARGETS }),
      verifyApprovals: async ({ actions, heard }: VetInput) =>
        actions.map(({ by }, at) =>
          by === 'nobody' ? { ok: true, signer: null } : { ok: true, signer: aSigner(by!), text: textOf(heard[at]!) },
        ),
    },
    step: ({ step }) => (step === 'seal' ? { ...ending, sealed: SEALED } : ending),
    meanwhile: throughTheGate,
  },
  cancelled: {
    skeleton: GRAPH,
    step: ({ step }, signal) => (step === 'wheels/a/cp311' ? untilAborted(signal) : ending),
    meanwhile: async (handle) => {
      for (;;) {
        const { raw } = await handle.describe();
        if (raw.pendingActivities?.some(({ activityId }) => activityId === 'wheels/a/cp311')) break;
      }
      await handle.signal(CANCEL_SIGNAL, { reason: 'wrong branch', by: 'ann' });
    },
  },
  night: {
    skeleton: NIGHT,
    step: ({ step, attempt }) => {
      if (step === 'reports/issues' && (reported += 1) <= 2)
        throw fail(aProblem({ class: 'infra', code: 'TARGET_UNREACHABLE', service: 'target:reports.issues' }));
      if (step.startsWith('tests/') && !(step === 'tests/flaky' && attempt === 2)) throw fail(aProblem());
      return ending;
    },
  },
  'told-and-wanted': {
    skeleton: CACHE,
    input: { engine: 4 },
    step: ({ step }) => {
      if (step === 'wheels/broken') throw fail(aProblem());
      return ending;
    },
  },
  'nothing-new': {
    skeleton: { ...NIGHT, steps: [], nothingNew: 'pipeline/thing/2026-11-21' },
    // Temporal appends the time of a schedule's start.
    workflowId: 'pipeline/thing-2026-11-22T02:00:00Z',
    input: { onFailure: 'fail' },
    step: () => ending,
  },
  continued: {
    skeleton: LONG,
    input: { continueAfter: 60 },
    step: async ({ step, attempt }, signal) => {
      if (step === 'begun early, stopped' && attempt === 1) await untilAborted(signal);
      if (step === 'steps/s12' && attempt === 1) throw fail(aProblem());
      return ending;
    },
    meanwhile: async (handle) => {
      await until(handle, 'begun early, stopped', 'running');
      await handle.executeUpdate('cancel', { args: [{ step: 'begun early, stopped', reason: 'hangs', by: 'ann' }] });
      await held(handle, 'begun early, stopped');
      await held(handle, 'steps/s12');
      await handle.executeUpdate('retry', { args: [{ step: 'steps/s3' }] }); // ended in an earlier history
      await handle.signal('skip', { step: 'begun early, stopped', reason: 'not today', by: 'ann' });
      await handle.executeUpdate('retry', { args: [{ step: 'steps/s12', by: 'ann' }] });
    },
  },
};
