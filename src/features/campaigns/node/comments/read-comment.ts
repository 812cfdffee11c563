import type { Planner } from '../../../../activities/plan/ports.js';
import type { Store } from '../../../../activities/ports.js';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { fail, type Problem } from '../../../../model/failure.js';
import { isForUs, readDirectives } from '../../pure/comments/directives.js';
import { mayAllEditors, mayStart } from '../../pure/comments/hooks.js';
import * as messages from '../../pure/comments/messages.js';
import type { Refusal, ReplyContent } from '../../pure/comments/reply.js';
import type { HookJob, Hooks } from '../../schemas/hooks.js';
import { type Comment, commentOf, lastPushOf, permissionOf, type Pull, pullOf } from '../github/comments.js';
import { notAComment } from './errors.js';
import { planned, whyNot } from './plan-comment.js';

export interface CommentPorts {
  readonly store: Pick<Store, 'create' | 'get' | 'read'>;
  readonly planner: Pick<Planner, 'submit'>;
  readonly hooks: Hooks;
  readonly to: TrackerConnection;
  readonly now: () => number;
  /** The workflow that asks. `attempt` is that of the activity, from 1. */
  readonly asks: { readonly workflowId: string; readonly runId: string; readonly attempt: number };
  /** Absolute folders of this machine, the home first. No reply names them. */
  readonly folders: readonly string[];
  /** Tells the operator what a reply does not say. */
  warn(problem: Problem): void;
  /** Fetches the head of a pull request for a job. Returns its commit. */
  fetchHead(job: HookJob, pull: number): Promise<string>;
  /** Returns workflow ids of open runs that comments on a pull request started. */
  openRuns(pull: number, job: string | null): Promise<readonly string[]>;
}
export type Answer = Omit<NonNullable<messages.CommentRead>, 'place' | 'reply'> & { readonly reply: ReplyContent };

/** Reads a comment anew, decides what it may ask for, plans and signs. A comment is read once, also after years. Each comment that asks
 * for something gets an answer. Throws outages: Temporal tries again. */
export async function readComment(ports: CommentPorts, input: messages.CommentInput): Promise<messages.CommentRead> {
  const { hooks, to, store, asks } = ports;
  const isNumber = Number.isSafeInteger(input.comment) && input.comment > 0;
  if (String(input.repository).toLowerCase() !== hooks.repository.toLowerCase() || !isNumber)
    throw fail(notAComment(`names no comment of ${hooks.repository}`));
  if (asks.workflowId !== messages.commentIdOf(input)) throw fail(notAComment(`is of ${messages.commentIdOf(input)}`));
  const before = await store.read<{ readonly run: string }>(messages.commentRecord(input));
  if (before !== null && before.run !== asks.runId) return null;
  const comment = await commentOf(to, input.comment);
  const answer =
    comment && (await answerTo(ports, comment).catch((error: unknown): Answer => whyNot(ports, error, null)));
  // Stored last: a comment whose workflow failed on the way may be delivered again.
  await store.create(messages.commentRecord(input), {
    slipway: 1,
    run: asks.runId,
    at: new Date(ports.now()).toISOString(),
  });
  const place = comment && { issue: comment.issue, since: comment.created };
  return answer && { ...answer, place: place!, reply: { mark: asks.runId, ...answer.reply } };
}

async function answerTo(ports: CommentPorts, comment: Comment): Promise<Answer | null> {
  const { hooks, to } = ports;
  const by = comment.author;
  const pull = isForUs(comment.body, hooks) ? await pullOf(to, comment.issue) : null;
  if (pull === null) return null;
  const refused = (why: Refusal): Answer => ({ reply: { kind: 'refused', why, by } });
  if (!(await may(ports, by))) return refused('stranger');
  if (comment.updated !== comment.created) return refused('edited');
  const isRead = messages.mayAsk(pull.body) && mayAllEditors(hooks) && (await may(ports, pull.author));
  const body = isRead ? pull.body : null;
  const asked = readDirectives(comment.body, body, hooks);
  if (asked.kind === 'cancel') {
    const runs = await ports.openRuns(pull.number, asked.job);
    return { reply: { kind: 'cancelled', runs, by }, cancel: runs };
  }
  if (!('given' in asked || 'mistakes' in asked)) return { reply: { kind: 'help', hooks } };
  const why = await whyNotHead(ports, pull, comment);
  return why === null ? planned(ports, { comment, pull, asked }) : refused(why);
}

/** Whether a person may start runs. */
const may = async ({ hooks, to }: CommentPorts, login: string): Promise<boolean> =>
  login !== '' && mayStart(hooks, login, Array.isArray(hooks.allow) ? null : await permissionOf(to, login));

/** Why the head of a pull request is not run for a comment. Null: it is. */
async function whyNotHead(
  { hooks, to }: CommentPorts,
  { open, from }: Pull,
  { created }: Comment,
): Promise<Refusal | null> {
  if (!open) return 'closed';
  if (hooks.forks === 'refuse' && from?.repository.toLowerCase() !== hooks.repository.toLowerCase()) return 'fork';
  if (from === null) return 'pushed';
  if (from.pushed < created) return null;
  // Something was pushed since or in that second, perhaps to another branch.
  const last = await lastPushOf(to, from);
  return last === '' || last >= created ? 'pushed' : null;
}
