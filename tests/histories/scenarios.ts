import { fail } from '../../src/model/failure.js';
import { CANCEL_SIGNAL } from '../../src/model/messages.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { UnservedQueue } from '../../src/model/worker.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { ending, untilAborted, type FakeStep } from '../workflows/fake-activities.js';

/** A run worth keeping: what it carried out, what its steps did, what was said to it. */
export interface Scenario {
  readonly skeleton: Skeleton;
  readonly step: FakeStep;
  /** What is seen of the queues, in turn; then nothing changes any more. */
  readonly seen?: readonly (readonly UnservedQueue[])[];
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

/** One file each in tests/histories; a shipped one is never recorded again, a new rule gets a new name. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'released-1': { skeleton: GRAPH, step: () => ending },
  'failed-after-retries-1': {
    skeleton: GRAPH,
    step: ({ step, attempt }) => {
      if (step === 'source' && attempt === 1) throw fail(aProblem({ class: 'infra', code: 'REGISTRY_BUSY' }));
      if (step === 'tests/a') throw fail(aProblem());
      return ending;
    },
  },
  'waited-1': {
    skeleton: { ...GRAPH, steps: GRAPH.steps.map((step) => ({ ...step, waitMs: 3_600_000 })) },
    seen: [[{ queue: 'linux-x86_64', since: 1_700_000_000_000 }], []],
    step: async ({ step }) => {
      // Long enough for both changes to reach the run while it still goes on.
      if (step.startsWith('wheels/')) await new Promise((resolve) => setTimeout(resolve, 600));
      return ending;
    },
  },
  'cancelled-1': {
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
};
