import { ApplicationFailure } from '@temporalio/activity';
import { type WorkflowHandle, WithStartWorkflowOperation } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { CONTROL, FLEET } from '../../src/model/ids.js';
import { INDEX_WORKFLOW, isPrune, LIST } from '../../src/model/index-writer.js';
import type { ListOutcome, ListRequest, WritePages } from '../../src/model/index-writer.js';
import { aProblem } from '../engine/a-skeleton.js';
import { makeWorker } from '../temporal-env.js';
import { historiesOf, type Recorded } from '../workflows/histories-of.js';

/** Workflow id of the recorded writer. */
export const INDEX_RUN = 'index/srv/wheels-1f2e3d4c';

const asked = (step: string, ...names: readonly string[]): ListRequest => ({
  ...{ plan: `sha256:${'1d'.repeat(32)}`, step, run: '0123456789abcdef', names },
});
const refused = { problems: [aProblem({ code: 'PLAN_NOT_SIGNED', class: 'denied' })] };

/** Refuses one step, and fails for another. */
const fakePages: WritePages = async ({ requests }) => {
  const steps = requests.map((request) => (isPrune(request) ? '' : request.step));
  if (steps.includes('publish/fails'))
    throw ApplicationFailure.create({ type: 'INDEX_RESTLESS', nonRetryable: true, details: [refused] });
  return { outcomes: steps.map((step) => (step === 'publish/refused' ? refused : { findings: [] })) };
};

/** Plays an index writer: requests at once, a refused one, one whose pages cannot be drawn, and a new history. Returns
 * its histories. */
export async function recordIndex(
  env: TestWorkflowEnvironment,
  bundle: { code: string },
): Promise<readonly Recorded[]> {
  const workflows = await makeWorker(env, bundle, {});
  const pages = await makeWorker(env, bundle, { writePages: fakePages }, { taskQueue: FLEET, shutdownGraceTime: 0 });
  const list = async (...requests: readonly ListRequest[]): Promise<readonly ListOutcome[]> => {
    const startWorkflowOperation = new WithStartWorkflowOperation(INDEX_WORKFLOW, {
      ...{ workflowId: INDEX_RUN, taskQueue: CONTROL, args: [{ continueAfter: 60 }] },
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
    const args: [readonly ListRequest[]] = [requests];
    return env.client.workflow.executeUpdateWithStart(LIST, { args, startWorkflowOperation });
  };
  const handle: WorkflowHandle = env.client.workflow.getHandle(INDEX_RUN);
  return workflows.runUntil(() =>
    pages.runUntil(async () => {
      await list(asked('publish/cache', 'debian-12/boat'));
      const { runId } = await handle.describe();
      await Promise.all([
        list(asked('publish/cache', 'debian-12/skiff'), asked('publish/refused', 'debian-13/skiff')),
        list(asked('publish/other', 'debian-13/boat', 'debian-13/skiff')),
      ]);
      await list(asked('publish/fails', 'debian-12/oars'));
      for (const project of ['oars', 'mast', 'keel', 'sail', 'rope'])
        await list(asked('publish/cache', `debian-12/${project}`));
      await handle.result();
      return historiesOf(env.client, handle, runId);
    }),
  );
}
