import type { Planner } from '../../../../activities/plan/ports.js';
import type { Store } from '../../../../activities/ports.js';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { classOf } from '../../../../engine/run/next-after-failure.js';
import { NEWEST_ENGINE } from '../../../../model/engines.js';
import { fail, type Problem, SlipwayFailure } from '../../../../model/failure.js';
import { workflowIdOf, workflowTypeOf } from '../../../../model/ids.js';
import { headOf } from '../../../../model/plan.js';
import { readDirectives, type Directives } from '../../pure/comments/directives.js';
import type { Hooks, Job } from '../../pure/comments/hooks.js';
import { commentIdOf, commentRecord, isNumber, isRepository, labelOf } from '../../pure/comments/messages.js';
import type { CommentRead, ReadComment } from '../../pure/comments/messages.js';
import type { Reply } from '../../pure/comments/reply.js';
import { type Comment, commentOf, pullOf } from '../github/comments.js';
import { problems } from './errors.js';
import { whyNot, whyNotHead } from './may.js';

export interface CommentPorts {
  readonly store: Pick<Store, 'create' | 'read'>;
  readonly planner: Pick<Planner, 'submit'>;
  readonly hooks: Hooks;
  readonly to: TrackerConnection;
  /** Fetches the head of a pull request for a job. Returns its commit. */
  readonly fetchHead: (name: string, job: Job, pull: number) => Promise<string>;
  /** Returns workflow ids of open runs that comments on a pull request started. */
  readonly openRuns: (repository: string, pull: number, job?: string) => Promise<readonly string[]>;
  readonly now: () => number;
}

/** Reads a comment anew, decides what it may ask for, plans and signs. A comment is read once, also after years. */
export const createReadComment = (ports: CommentPorts): ReadComment =>
  async function readComment({ workflowId, run, ...input }) {
    const fault = !isRepository(input.repository) ? 'has no "repository" OWNER/REPO' : isNumber(input.comment) ? null : 'has no number as "comment"';
    if (fault !== null) throw fail(problems.notAComment(fault));
    if (workflowId !== commentIdOf(input)) throw fail(problems.notAComment(`is of ${commentIdOf(input)}, and not of ${workflowId}`));
    const { hooks, to } = ports;
    if (hooks.repository.toLowerCase() !== input.repository.toLowerCase()) throw fail(problems.noHooks(input.repository));
    const before = await ports.store.read<{ readonly run: string }>(commentRecord(input));
    if (before !== null && before.run !== run) return null;
    const comment = await commentOf(to, input.comment);
    const answer = comment && (await answerTo(ports, comment));
    // Stored last: a comment whose workflow failed on the way may be delivered again.
    await ports.store.create(commentRecord(input), { slipway: 1, run, at: new Date(ports.now()).toISOString() });
    return answer && { place: { ...input, issue: comment.issue, mark: run, since: comment.created }, ...answer };
  };

async function answerTo(ports: CommentPorts, comment: Comment): Promise<Answer | null> {
  const asked = readDirectives({ body: comment.body, comment: comment.id, hooks: ports.hooks });
  if (asked.kind === 'none') return null;
  try {
    return await answered(ports, comment, asked);
  } catch (error) {
    // What planning says of the commit is for who wrote it. Outages are waited for.
    if (!(error instanceof SlipwayFailure) || TRIED_AGAIN.includes(classOf(error.problems)) || isOfGithub(error)) throw error;
    return { reply: { kind: 'refused', problems: error.problems } };
  }
}

const TRIED_AGAIN: readonly string[] = ['infra', 'lost', 'bug'];
const isOfGithub = ({ first }: SlipwayFailure): boolean => first.code.startsWith('GITHUB_');

type Asked = Exclude<Directives, { kind: 'none' }>;
type Answer = Omit<NonNullable<CommentRead>, 'place'>;
const refused = (problem: Problem): Answer => ({ reply: { kind: 'refused', problems: [problem] } });

async function answered(ports: CommentPorts, comment: Comment, asked: Asked): Promise<Answer | null> {
  const { hooks, to } = ports;
  const pull = await pullOf(to, comment.issue);
  if (pull === null) return null;
  const stranger = await whyNot(to, hooks, comment.author);
  if (stranger !== null) return refused(stranger);
  if (comment.updated !== comment.created) return refused(problems.edited());
  if (asked.kind === 'help') return { reply: { kind: 'help' } };
  if (asked.kind === 'mistakes') return { reply: asked };
  if (asked.kind === 'cancel') {
    const cancel = await ports.openRuns(hooks.repository, pull.number, asked.job);
    return { reply: { kind: 'cancelled', runs: cancel }, cancel };
  }
  const why = await whyNotHead(to, hooks, pull, comment);
  if (why !== null) return refused(why);
  const job = hooks.jobs[asked.job]!;
  const head = await ports.fetchHead(asked.job, job, pull.number);
  if (head !== pull.head) return refused(problems.pushed(head));
  const given = { ...asked.given, source: head, label: labelOf(pull.number, comment.id) };
  const { plan, digest } = await ports.planner.submit(job.file, job.profile, given);
  const of = headOf(plan);
  if (!of.pipeline && !of.rehearsal) return refused(problems.noRehearsal(asked.job));
  const workflowId = workflowIdOf(of);
  const reply: Reply = { kind: asked.kind === 'plan' ? 'plan' : 'run', job: asked.job, head, workflowId, steps: plan.steps.length };
  if (asked.kind === 'plan') return { reply };
  const start = { type: workflowTypeOf(of), workflowId, plan: digest, engine: NEWEST_ENGINE, by: `@${comment.author}`, job: asked.job };
  return { reply, start };
}
