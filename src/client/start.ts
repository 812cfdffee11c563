import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { NEWEST_ENGINE } from '../model/engines.js';
import { fail } from '../model/failure.js';
import { CONTROL, workflowIdOf, workflowTypeOf } from '../model/ids.js';
import { PLAN_MEMO, WORKFLOW_TASK_LIMIT, type ReleaseInput } from '../model/messages.js';
import { isPriority, ORDINARY, turnOf } from '../model/priority.js';
import { ask } from './ask.js';
import type { ClientContext } from './client-context.js';
import { runHasOtherPlan, runIsPlanning } from './errors.js';
import { runOf } from './history-chain.js';
import type { ReleaseClient, Started } from './index.js';
import { isOpen } from './status.js';

const LOOK_AGAIN_MS = 200;
/** Planning a large release with a source to fetch takes seconds. */
const PLANNING_LIMIT_MS = 30_000;

type StartInput = Parameters<ReleaseClient['start']>[0];

/** Starts a release or a pipeline, or returns the open run of the same plan. Throws RUN_HAS_OTHER_PLAN or RUN_IS_PLANNING. */
export async function startRun(context: ClientContext, input: StartInput): Promise<Started> {
  const workflowId = workflowIdOf(input);
  return ask(context, `start ${workflowId}`, { workflowId }, async () => {
    for (;;) {
      const started = (await begin(context, workflowId, input)) ?? (await adopt(context, workflowId, input));
      if (started) return started;
    }
  });
}

async function begin({ client }: ClientContext, workflowId: string, input: StartInput): Promise<Started | null> {
  const { name, version, rehearsal, pipeline, priority = ORDINARY, ...release } = input;
  try {
    const handle = await client.workflow.start(workflowTypeOf(input), {
      workflowId,
      taskQueue: CONTROL,
      args: [{ engine: NEWEST_ENGINE, ...release } satisfies ReleaseInput],
      // Activities inherit the run's priority.
      priority: { priorityKey: priority, fairnessKey: turnOf(workflowId) },
      workflowTaskTimeout: WORKFLOW_TASK_LIMIT,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      staticSummary: `${name} ${version}${pipeline ? ', a pipeline' : rehearsal ? ', a rehearsal' : ''}`,
      // A run that plans itself adds this memo after planning.
      ...(input.plan === undefined ? {} : { memo: { [PLAN_MEMO]: input.plan } }),
    });
    return { workflowId, run: handle.firstExecutionRunId, existing: false };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
}

/** Returns the open run. Null if it closed meanwhile. Waits while the run plans, because only then are the plans
 * comparable. */
async function adopt({ client }: ClientContext, workflowId: string, input: StartInput): Promise<Started | null> {
  for (const giveUpAt = performance.now() + PLANNING_LIMIT_MS; ; await pause(LOOK_AGAIN_MS)) {
    const description = await client.workflow.getHandle(workflowId).describe();
    const { status, memo, raw } = description;
    if (!isOpen(status.name)) return null;
    const open = memo?.[PLAN_MEMO];
    if (input.plan === undefined || open === input.plan) {
      const kept = raw.workflowExecutionInfo?.priority?.priorityKey;
      const { run } = runOf(description);
      return { workflowId, run, existing: true, priority: isPriority(kept) ? kept : ORDINARY };
    }
    if (typeof open === 'string') throw fail(runHasOtherPlan(workflowId, open, input.plan, input.pipeline));
    if (performance.now() > giveUpAt) throw fail(runIsPlanning(workflowId));
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
