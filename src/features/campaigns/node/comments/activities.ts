import { existsSync, realpathSync } from 'node:fs';
import { Context } from '@temporalio/activity';
import type { Planner } from '../../../../activities/plan/ports.js';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { problemsOf } from '../../../../activities/step/failures.js';
import { asApplicationFailure } from '../../../../activities/step/perform.js';
import type { StepContext } from '../../../../activities/step/ports.js';
import { reveal } from '../../../../activities/step/secrets.js';
import { readRoots } from '../../../../adapters/facts/roots.js';
import { readsAll } from '../../../../client/reads-all.js';
import { followRun } from '../../../../client/follow.js';
import { classOf } from '../../../../engine/run/next-after-failure.js';
import { fail } from '../../../../model/failure.js';
import { HEARTBEAT_MS } from '../../../../model/heartbeat.js';
import { CONTROL, PIPELINE_WORKFLOW, RELEASE_WORKFLOW, unscheduled } from '../../../../model/ids.js';
import { isOfType } from '../../../../model/workflow-types.js';
import { openPlanner } from '../../../../workers/open-planner.js';
import * as messages from '../../pure/comments/messages.js';
import { renderReply } from '../../pure/comments/reply.js';
import type { Hooks } from '../../schemas/hooks.js';
import { changeComment } from '../github/comments.js';
import { hooksPath, readHooksFile } from '../hooks-file.js';
import { hooksAbsent } from './errors.js';
import { fetchHead } from './fetch-head.js';
import { listComments } from './list-comments.js';
import { type CommentPorts, readComment } from './read-comment.js';
import { followed, tellReply } from './reply.js';

type On<Names extends keyof messages.CommentActivities> = Readonly<Pick<messages.CommentActivities, Names>>;

/** Activities of comments on the control queue. Tests hand in a planner. */
export function commentActivities(
  around: StepContext,
  planner: Pick<Planner, 'submit'> = openPlanner({ ...around, stopped: () => Context.current().cancellationSignal }),
): On<'readComment' | 'tellComment' | 'listComments'> {
  const { store, now, env, home } = around;
  const polled = commenting(around, (last: messages.Seen | undefined, { to }) =>
    listComments({ store, to, now }, last),
  );
  return {
    readComment: commenting(around, (input, { hooks, to, context }) => {
      const { workflowExecution, attempt } = context.info;
      const ports: CommentPorts = {
        ...{ store, planner, now, hooks, to, asks: { ...workflowExecution!, attempt }, folders: foldersOf(around) },
        warn: ({ code, message }) => context.log.warn('a comment was not planned', { code, problem: message }),
        fetchHead: (job, pull) => fetchHead(hooks, job, pull, { env, home }),
        openRuns: (pull, job) => openRuns(hooks, pull, job),
      };
      return readComment(ports, input);
    }),
    tellComment: commenting(around, (telling, { to, context }) => tellReply(to, telling, context.info.attempt > 1)),
    listComments: async (last) => {
      const left = isLeft(around).catch((error: unknown) => Promise.reject(crossing(error, home)));
      return (await left) ? { seen: last ?? { since: '' }, unread: [] } : polled(last);
    },
  };
}

/** Activities of comments that wait for hours. */
export const commentWatches = (around: StepContext): On<'followRun'> => ({
  followRun: commenting(around, async ({ place, reply, told, workflowId, run }, { context, to, beat }) => {
    const { client, info } = context;
    const server = { client, address: client.options.namespace };
    const { edited: lastMs = 0 } = (info.heartbeatDetails ?? {}) as { readonly edited?: number };
    let number = told;
    const last = await followed({
      ...{ statuses: followRun(server, workflowId, run ?? undefined, to.signal), lastMs },
      ...{ nowMs: around.now, pause: (ms) => context.sleep(ms), edited: (atMs) => (beat.edited = atMs) },
      tell: async (status, isLast) => {
        const now = reply.kind === 'run' ? { ...reply, status } : reply;
        if (number === null && isLast) number = await tellReply(to, { place, reply: now }, info.attempt > 1);
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

/** One attempt of an activity. `beat`: details of its heartbeats. */
interface Attempt {
  readonly context: Context;
  readonly hooks: Hooks;
  readonly to: TrackerConnection;
  readonly beat: { edited?: number };
}

/** Wraps an activity of comments: opens GitHub, sends heartbeats, and tells failures with their codes. Temporal tries outages again. */
const commenting =
  <In, Out>(around: StepContext, act: (input: In, attempt: Attempt) => Promise<Out>) =>
  async (input: In): Promise<Out> => {
    const context = Context.current();
    const { cancellationSignal: signal } = context;
    const beat: Attempt['beat'] = {};
    const beats = setInterval(() => context.heartbeat({ ...beat }), HEARTBEAT_MS);
    try {
      const hooks = await readHooksFile(around.home);
      if (hooks === null) throw fail(hooksAbsent(hooksPath(around.home)));
      const { address, repository } = hooks;
      const asker = { log: { hide: () => undefined }, signal, on: CONTROL };
      const token = await reveal(around, asker, hooks.token, 'secret');
      const to = { name: 'hooks.yaml', address, repository, token, signal, waits: () => undefined };
      return await act(input, { context, hooks, beat, to });
    } catch (error) {
      throw signal.aborted ? error : crossing(error, around.home);
    } finally {
      clearInterval(beats);
    }
  };

/** GitHub says how long it accepts no request. Until then no attempt asks. */
function crossing(error: unknown, home: string): Error {
  const found = problemsOf(error, null, home);
  const failure = asApplicationFailure(found, { again: ['infra', 'lost'].includes(classOf(found)) });
  const seconds = found[0]?.details?.['seconds'];
  return typeof seconds === 'number' ? Object.assign(failure, { nextRetryDelay: seconds * 1000 }) : failure;
}

/** Folders whose paths are the operator's alone, as written and as they are. */
const foldersOf = ({ env, home }: StepContext): readonly string[] =>
  [home, ...readRoots(env, home, 'roots'), ...readRoots(env, home, 'repositories')]
    .filter((one) => one !== '/')
    .flatMap((one) => (existsSync(one) ? [one, realpathSync(one)] : [one]));

/** Returns workflow ids of open runs that comments on a pull request started, for one job or for all (null). */
async function openRuns({ repository }: Hooks, pull: number, job: string | null): Promise<readonly string[]> {
  const found = new Set<string>();
  const query = `ExecutionStatus = 'Running' AND ${isOfType(['comment', PIPELINE_WORKFLOW, RELEASE_WORKFLOW])}`;
  const { client } = Context.current();
  const { workflow } = readsAll({ client, address: client.options.namespace }, () => undefined);
  for await (const { memo } of workflow.list({ query })) {
    const of = memo?.[messages.COMMENT_MEMO] as messages.CommentMemo | undefined;
    if (of?.repository === repository && of.pull === pull && [of.job, null].includes(job)) found.add(of.workflowId);
  }
  return [...found];
}

/** Whether the schedule that started this poll is of a repository that hooks.yaml does not name any more. Deletes it then. */
async function isLeft({ home }: StepContext): Promise<boolean> {
  const { info, client } = Context.current();
  const [scheduleId, hooks] = [unscheduled(info.workflowExecution!.workflowId), await readHooksFile(home)];
  const isOurs = hooks !== null && scheduleId === messages.pollIdOf(hooks.repository);
  if (!isOurs) await client.schedule.getHandle(scheduleId).delete();
  return !isOurs;
}
