import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { fail, type Problem } from '../model/failure.js';
import { CONTROL } from '../model/ids.js';
import type { FailureDetails } from '../model/messages.js';
import type { WorkflowName } from '../model/workflow-types.js';
import { ask } from './ask.js';
import type { ClientContext } from './client-context.js';
import { workflowCancelled } from './errors.js';

/** Starts a workflow, or joins the open one of this id. Returns its result. */
export const carryOut = <T>(
  context: ClientContext,
  type: WorkflowName,
  workflowId: string,
  args: readonly unknown[],
): Promise<T> =>
  ask(context, `carry out ${workflowId}`, { workflowId }, async () => {
    const options = {
      taskQueue: CONTROL,
      workflowId,
      args: [...args],
      workflowIdConflictPolicy: 'USE_EXISTING',
    } as const;
    const handle = await context.client.workflow.start(type, options);
    return resultOf<T>(
      () => handle.result(),
      (why) => workflowCancelled(workflowId, why),
    );
  });

/** Returns a workflow's result. Throws the problems that ended it, or `cancelled`. */
export async function resultOf<T>(result: () => Promise<unknown>, cancelled: (why: string) => Problem): Promise<T> {
  try {
    return (await result()) as T;
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    const { cause } = error;
    const told = cause instanceof ApplicationFailure ? (cause.details?.[0] as FailureDetails | undefined) : undefined;
    if (told?.problems !== undefined) throw fail(told.problems, error);
    if (cause instanceof CancelledFailure) throw fail(cancelled(cause.message), error);
    throw error;
  }
}
