import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { CONTROL } from '../../../../model/ids.js';
import { type CommentInput, commentIdOf } from '../../pure/comments/messages.js';

const LIMIT_MS = 8_000;

/** Starts the workflow of a comment. Does nothing if it was started before, and did not fail. */
export async function startComment(client: Client, input: CommentInput): Promise<void> {
  const start = () =>
    client.workflow.start('comment', {
      ...{ taskQueue: CONTROL, workflowId: commentIdOf(input), args: [input] },
      ...{ workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY', workflowIdConflictPolicy: 'FAIL' },
    });
  await client.withDeadline(Date.now() + LIMIT_MS, start).catch((error: unknown) => {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  });
}
