import { Context } from '@temporalio/activity';
import { COMMENT_MEMO, type CommentMemo } from '../../pure/comments/messages.js';

/** Returns workflow ids of open runs that comments on a pull request started.
 * @param job null: of all jobs */
export async function openRuns(repository: string, pull: number, job: string | null): Promise<readonly string[]> {
  const found: string[] = [];
  const query = `ExecutionStatus = 'Running' AND WorkflowType = 'comment'`;
  for await (const { memo } of Context.current().client.workflow.list({ query })) {
    const of = memo?.[COMMENT_MEMO] as CommentMemo | undefined;
    if (of?.repository === repository && of.pull === pull && (job === null || of.job === job))
      found.push(of.workflowId);
  }
  return found;
}
