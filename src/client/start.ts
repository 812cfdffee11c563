import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { fail } from '../model/failure.js';
import { CONTROL, RELEASE_WORKFLOW, releaseWorkflowId } from '../model/ids.js';
import type { ReleaseInput } from '../model/messages.js';
import { ask } from './ask.js';
import type { Door } from './connect.js';
import { runHasOtherPlan } from './errors.js';
import type { ReleaseClient, Started } from './index.js';

type StartInput = Parameters<ReleaseClient['start']>[0];

/** Starts a release, or finds the open run of the same plan. A closed run under the id is no obstacle. */
export async function startRun(door: Door, input: StartInput): Promise<Started> {
  const workflowId = releaseWorkflowId(input.name, input.version, input.rehearsal);
  return ask(door, `start ${workflowId}`, { workflowId }, async () => {
    for (;;) {
      const started = (await begin(door, workflowId, input)) ?? (await adopt(door, workflowId, input));
      if (started) return started;
    }
  });
}

/** Null when a run of this id is open. */
async function begin({ client }: Door, workflowId: string, input: StartInput): Promise<Started | null> {
  const { name, version, rehearsal, ...release } = input;
  try {
    const handle = await client.workflow.start(RELEASE_WORKFLOW, {
      workflowId,
      taskQueue: CONTROL,
      args: [release satisfies ReleaseInput],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      staticSummary: `${name} ${version}${rehearsal ? ', a rehearsal' : ''}`,
      // Read without a worker: whether a second start is about the same plan.
      memo: { plan: input.plan ?? null },
    });
    return { workflowId, run: handle.firstExecutionRunId, existing: false };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

/** Null when the open run ended in the meantime. */
async function adopt({ client }: Door, workflowId: string, input: StartInput): Promise<Started | null> {
  const { status, runId, memo } = await client.workflow.getHandle(workflowId).describe();
  if (status.name !== 'RUNNING') return null;
  const open = memo?.['plan'];
  if (typeof open === 'string' && input.plan !== undefined && open !== input.plan)
    throw fail(runHasOtherPlan(workflowId, open, input.plan));
  return { workflowId, run: runId, existing: true };
}
