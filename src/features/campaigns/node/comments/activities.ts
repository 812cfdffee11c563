import { Context } from '@temporalio/activity';
import type { Planner } from '../../../../activities/plan/ports.js';
import type { StepContext } from '../../../../activities/step/ports.js';
import { watchRun } from '../../../../client/watch.js';
import { openPlanner } from '../../../../workers/open-planner.js';
import type { FollowRun, ListComments, ReadComment, TellComment } from '../../pure/comments/messages.js';
import { renderReply } from '../../pure/comments/reply.js';
import { changeComment } from '../github/comments.js';
import { commenting } from './connect.js';
import { fetchHead } from './fetch-head.js';
import { followed } from './follow-run.js';
import { createListComments } from './list-comments.js';
import { openRuns } from './open-runs.js';
import { createReadComment } from './read-comment.js';
import { tellReply } from './tell-comment.js';

type CommentActivities = {
  readonly readComment: ReadComment;
  readonly tellComment: TellComment;
  readonly listComments: ListComments;
};

/** Activities of comments on the control queue.
 * @param planner plans and signs; for tests */
export function commentActivities(
  around: StepContext,
  planner: Pick<Planner, 'submit'> = planning(around),
): CommentActivities {
  const { store, now } = around;
  return {
    readComment: commenting(around, (input, { hooks, to }) =>
      createReadComment({
        ...{ store, planner, now, hooks, to, openRuns },
        fetchHead: (job, pull) => fetchHead(hooks, job, pull, around),
      })(input),
    ),
    tellComment: commenting(around, ({ place, reply }, { to, context }) =>
      tellReply(to, place, reply, context.info.attempt > 1),
    ),
    listComments: commenting(around, (input, { hooks, to }) => createListComments({ store, hooks, to, now })(input)),
  };
}

const planning = (around: StepContext): Planner =>
  openPlanner({ ...around, stopped: () => Context.current().cancellationSignal });

/** Activities of comments that wait for hours. */
export const commentWatches = (around: StepContext): { readonly followRun: FollowRun } => ({
  followRun: commenting(around, async ({ place, reply, told, started, startedRun }, { context, to, beats }) => {
    const { client, info } = context;
    const server = { client, address: client.options.namespace };
    const { edited = 0 } = (info.heartbeatDetails ?? {}) as { readonly edited?: number };
    let number = told;
    const last = await followed({
      ...{ statuses: watchRun(server, started.workflowId, startedRun, to.signal), lastMs: edited, nowMs: around.now },
      pause: (ms) => context.sleep(ms),
      edited: (atMs) => beats({ edited: atMs }),
      tell: async (status, isLast) => {
        const now = reply.kind === 'run' ? { ...reply, status } : reply;
        if (number === null && isLast) number = await tellReply(to, place, now, info.attempt > 1);
        // A person may have deleted it.
        else if (number !== null) await changeComment(to, number, renderReply(now)).catch(isLast ? rethrow : ignore);
      },
    });
    to.signal.throwIfAborted();
    return last?.verdict?.verdict ?? 'unknown';
  }),
});

const ignore = (): void => undefined;
const rethrow = (error: unknown): never => {
  throw error;
};
