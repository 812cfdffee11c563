import type { Planner } from '../../../../activities/plan/ports.js';
import type { Store } from '../../../../activities/ports.js';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { classOf } from '../../../../engine/run/next-after-failure.js';
import { NEWEST_ENGINE } from '../../../../model/engines.js';
import { fail, SlipwayFailure } from '../../../../model/failure.js';
import { workflowIdOf, workflowTypeOf } from '../../../../model/ids.js';
import { headOf, type Plan } from '../../../../model/plan.js';
import { readDirectives, type Chosen, type Directives } from '../../pure/comments/directives.js';
import { notForComments } from '../../pure/comments/hooks.js';
import { commentIdOf, commentRecord, isNumber, isRepository, labelOf } from '../../pure/comments/messages.js';
import type { CommentRead, ReadComment } from '../../pure/comments/messages.js';
import type { Planned, Refusal } from '../../pure/comments/reply.js';
import type { HookJob, Hooks } from '../../schemas/hooks.js';
import { type Comment, commentOf, type Pull, pullOf } from '../github/comments.js';
import { problems } from './errors.js';
import { may, whyNotHead } from './may.js';

export interface CommentPorts {
  readonly store: Pick<Store, 'create' | 'read'>;
  readonly planner: Pick<Planner, 'submit'>;
  readonly hooks: Hooks;
  readonly to: TrackerConnection;
  /** Fetches the head of a pull request for a job. Returns its commit. */
  readonly fetchHead: (job: HookJob, pull: number) => Promise<string>;
  /** Returns workflow ids of open runs that comments on a pull request started. */
  readonly openRuns: (repository: string, pull: number, job: string | null) => Promise<readonly string[]>;
  readonly now: () => number;
}

/** Reads a comment anew, decides what it may ask for, plans and signs. A comment is read once, also after years. */
export const createReadComment = (ports: CommentPorts): ReadComment =>
  async function readComment({ workflowId, run, ...input }) {
    const fault = !isRepository(input.repository)
      ? 'has no "repository" OWNER/REPO'
      : isNumber(input.comment)
        ? null
        : 'has no number as "comment"';
    if (fault !== null) throw fail(problems.notAComment(fault));
    if (workflowId !== commentIdOf(input))
      throw fail(problems.notAComment(`is of ${commentIdOf(input)}, and not of ${workflowId}`));
    const { hooks, to } = ports;
    if (hooks.repository.toLowerCase() !== input.repository.toLowerCase())
      throw fail(problems.noHooks(input.repository));
    const before = await ports.store.read<{ readonly run: string }>(commentRecord(input));
    if (before !== null && before.run !== run) return null;
    const comment = await commentOf(to, input.comment);
    const answer = comment && (await answerTo(ports, comment, run));
    // Stored last: a comment whose workflow failed on the way may be delivered again.
    await ports.store.create(commentRecord(input), { slipway: 1, run, at: new Date(ports.now()).toISOString() });
    return answer && { place: { ...input, issue: comment.issue, mark: run, since: comment.created }, ...answer };
  };

type Answer = Omit<NonNullable<CommentRead>, 'place'>;

async function answerTo(ports: CommentPorts, comment: Comment, mark: string): Promise<Answer | null> {
  const { hooks, to } = ports;
  const said = readDirectives({ comment: comment.body, body: null, hooks });
  const pull = said.kind === 'none' ? null : await pullOf(to, comment.issue);
  if (said.kind === 'none' || pull === null) return null;
  const refused = (why: Refusal): Answer => ({ reply: { mark, kind: 'refused', why, by: comment.author } });
  if (!(await may(to, hooks, comment.author))) return refused('stranger');
  if (comment.updated !== comment.created) return refused('edited');
  const body = pull.body !== '' && (await may(to, hooks, pull.author)) ? pull.body : null;
  const asked = readDirectives({ comment: comment.body, body, hooks });
  switch (asked.kind) {
    case 'none':
      return null;
    case 'help':
      return { reply: { mark, kind: 'help', hooks } };
    case 'cancel': {
      const runs = await ports.openRuns(hooks.repository, pull.number, asked.job);
      return { reply: { mark, kind: 'cancelled', runs, by: comment.author }, cancel: runs };
    }
    default: {
      const why = await whyNotHead(to, hooks, pull, comment);
      return why === null ? planned(ports, { comment, pull, asked, mark }) : refused(why);
    }
  }
}

interface About {
  readonly comment: Comment;
  readonly pull: Pull;
  readonly asked: Extract<Directives, { kind: 'plan' | 'test' | 'mistakes' }>;
  readonly mark: string;
}

/** Plans and signs. What planning says of the commit is for who wrote it, beside the mistakes of the comment. Outages are waited for. */
async function planned(ports: CommentPorts, { comment, pull, asked, mark }: About): Promise<Answer> {
  const { hooks, planner, fetchHead } = ports;
  const mistakes = asked.kind === 'mistakes' ? asked.mistakes : [];
  const sound = asked.kind === 'mistakes' ? asked.sound : asked;
  if (sound === null) return { reply: { mark, kind: 'mistakes', mistakes } };
  const job = hooks.jobs[sound.job]!;
  const head = await fetchHead(job, pull.number);
  if (head !== pull.head) return { reply: { mark, kind: 'refused', why: 'pushed', by: comment.author } };
  try {
    const given = { ...sound.given, source: head, label: labelOf(pull.number, comment.id) };
    const { plan, digest } = await planner.submit(job.file, job.profile, given);
    const releases = notForComments(plan, sound.job);
    if (releases !== null) throw fail(releases);
    if (mistakes.length > 0) return { reply: { mark, kind: 'mistakes', mistakes } };
    const of = headOf(plan);
    const workflowId = workflowIdOf(of);
    const by = comment.author;
    const about = { job: sound.job, run: workflowId, by, commit: head, ...wordsOf(plan, sound.given) };
    if (asked.kind === 'plan') return { reply: { mark, kind: 'plan', planned: about } };
    const start = {
      type: workflowTypeOf(of),
      workflowId,
      plan: digest,
      engine: NEWEST_ENGINE,
      by: `@${by}`,
      job: sound.job,
    };
    return { reply: { mark, kind: 'run', planned: about, status: null }, start };
  } catch (error) {
    if (!(error instanceof SlipwayFailure) || TRIED_AGAIN.includes(classOf(error.problems))) throw error;
    return { reply: { mark, kind: 'mistakes', mistakes, problems: error.problems.slice(0, MOST_PROBLEMS) } };
  }
}

const TRIED_AGAIN: readonly string[] = ['infra', 'lost', 'bug'];
const MOST_PROBLEMS = 20;

/** What the reply says of a plan. */
const wordsOf = (
  { steps, dropped }: Plan,
  { preset = [] }: Chosen,
): Pick<Planned, 'presets' | 'settings' | 'leftOut' | 'steps'> => ({
  ...{ presets: preset, settings: [], steps: steps.length },
  leftOut: dropped.map(({ id, because }) => ({ id, because })),
});
