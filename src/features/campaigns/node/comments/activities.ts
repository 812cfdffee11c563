import { Context } from '@temporalio/activity';
import type { Planner } from '../../../../activities/plan/ports.js';
import type { StepContext } from '../../../../activities/step/ports.js';
import { watchRun } from '../../../../client/watch.js';
import { openPlanner } from '../../../../workers/open-planner.js';
import { COMMENT_MEMO, type CommentActivities, type CommentMemo } from '../../pure/comments/messages.js';
import { renderReply } from '../../pure/comments/reply.js';
import { changeComment } from '../github/comments.js';
import { commenting } from './connect.js';
import { fetchHead } from './fetch-head.js';
import { followed } from './follow-run.js';
import { createListComments } from './list-comments.js';
import { createReadComment } from './read-comment.js';
import { tellReply } from './tell-comment.js';

type On<Names extends keyof CommentActivities> = { readonly [Name in Names]: CommentActivities[Name] };

/** Activities of comments on the control queue.
 * @param planner plans and signs; for tests */
export function commentActivities(
  around: StepContext,
  planner: Pick<Planner, 'submit'> = openPlanner({ ...around, stopped: () => Context.current().cancellationSignal }),
): On<'readComment' | 'tellComment' | 'listComments'> {
  const { store, now } = around;
  return {
    readComment: commenting(around, (input, { hooks, to }) => {
      const head = (job: Parameters<typeof fetchHead>[1], pull: number) => fetchHead(hooks, job, pull, around);
      return createReadComment({ store, planner, now, hooks, to, openRuns, fetchHead: head })(input);
    }),
    tellComment: commenting(around, ({ place, reply }, { to, context }) =>
      tellReply(to, place, reply, context.info.attempt > 1),
    ),
    listComments: commenting(around, (input, { to }) => createListComments({ store, to, now })(input)),
  };
}

/** Activities of comments that wait for hours. */
export const commentWatches = (around: StepContext): On<'followRun'> => ({
  followRun: commenting(around, async ({ place, reply, told, started, startedRun }, { context, to, beat }) => {
    const { client, info } = context;
    const server = { client, address: client.options.namespace };
    const { edited: lastMs = 0 } = (info.heartbeatDetails ?? {}) as { readonly edited?: number };
    let number = told;
    const last = await followed({
      ...{ statuses: watchRun(server, started.memo.workflowId, startedRun ?? undefined, to.signal), lastMs },
      ...{ nowMs: around.now, pause: (ms) => context.sleep(ms), edited: (atMs) => (beat.edited = atMs) },
      tell: async (status, isLast) => {
        const now = reply.kind === 'run' ? { ...reply, status } : reply;
        if (number === null && isLast) number = await tellReply(to, place, now, info.attempt > 1);
        if (number === null) return;
        // A person may have deleted it. The next edit makes up for one that failed.
        const change = changeComment(to, number, renderReply(now));
        await (isLast ? change : change.catch(() => undefined));
      },
    });
    to.signal.throwIfAborted();
    return last?.verdict?.verdict ?? 'unknown';
  }),
});

/** Returns workflow ids of open runs that comments on a pull request started.
 * @param job null: of all jobs */
async function openRuns(repository: string, pull: number, job: string | null): Promise<readonly string[]> {
  const found: string[] = [];
  const query = `ExecutionStatus = 'Running' AND WorkflowType = 'comment'`;
  for await (const { memo } of Context.current().client.workflow.list({ query })) {
    const of = memo?.[COMMENT_MEMO] as CommentMemo | undefined;
    if (of?.repository === repository && of.pull === pull && [of.job, null].includes(job)) found.push(of.workflowId);
  }
  return found;
}
