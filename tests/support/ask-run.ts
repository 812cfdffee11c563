import type { WorkflowHandle } from '@temporalio/client';
import { STATUS_QUERY, type RunStatus } from '../../src/model/messages.js';

/** The server gives a query ten seconds to reach a worker: too few on a busy machine, and no matter of what a test says. */
const NOT_REACHED = /query timed out before a worker could process it/;

/** Queries a run whose worker lives, as often as it takes. */
export async function askRun<T>(handle: WorkflowHandle, query: string, ...args: readonly unknown[]): Promise<T> {
  for (;;) {
    try {
      return await handle.query<T, unknown[]>(query, ...args);
    } catch (error) {
      if (!NOT_REACHED.test(String((error as Error).cause))) throw error;
    }
  }
}

export const statusOf = (handle: WorkflowHandle): Promise<RunStatus> => askRun<RunStatus>(handle, STATUS_QUERY);
