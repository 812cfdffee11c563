import type { Planner } from '../../../../activities/plan/ports.js';
import type { Store } from '../../../../activities/ports.js';
import { readText } from '../../../../activities/read-text.js';
import type { TrackerConnection } from '../../../../activities/reports/ports.js';
import { classOf } from '../../../../engine/run/next-after-failure.js';
import { NEWEST_ENGINE } from '../../../../model/engines.js';
import { fail, SlipwayFailure } from '../../../../model/failure.js';
import { workflowIdOf, workflowTypeOf } from '../../../../model/ids.js';
import type { JsonObject } from '../../../../model/json.js';
import { headOf, type Plan } from '../../../../model/plan.js';
import { readDirectives, type Directives } from '../../pure/comments/directives.js';
import { notForComments } from '../../pure/comments/hooks.js';
import {
  type CommentActivities,
  commentIdOf,
  type CommentRead,
  commentRecord,
  mayAsk,
} from '../../pure/comments/messages.js';
import type { Planned, Refusal } from '../../pure/comments/reply.js';
import { changedRows } from '../../pure/config/why.js';
import type { HookJob, Hooks } from '../../schemas/hooks.js';
import { type Comment, commentOf, type Pull, pullOf } from '../github/comments.js';
import { problems } from './errors.js';
import { may, whyNotHead } from './may.js';

export interface CommentPorts {
  readonly store: Pick<Store, 'create' | 'get' | 'read'>;
  readonly planner: Pick<Planner, 'submit'>;
  readonly hooks: Hooks;
  readonly to: TrackerConnection;
  readonly now: () => number;
  /** Fetches the head of a pull request for a job. Returns its commit. */
  fetchHead(job: HookJob, pull: number): Promise<string>;
  /** Returns workflow ids of open runs that comments on a pull request started. */
  openRuns(repository: string, pull: number, job: string | null): Promise<readonly string[]>;
}
type Answer = Omit<NonNullable<CommentRead>, 'place'>;

/** Reads a comment anew, decides what it may ask for, plans and signs. A comment is read once, also after years. */
export const createReadComment = (ports: CommentPorts): CommentActivities['readComment'] =>
  async function readComment({ workflowId, run, ...input }) {
    const { hooks, to, store } = ports;
    const isNumber = Number.isSafeInteger(input.comment) && input.comment > 0;
    if (String(input.repository).toLowerCase() !== hooks.repository.toLowerCase() || !isNumber)
      throw fail(problems.notAComment(`names no comment of ${hooks.repository}`));
    if (workflowId !== commentIdOf(input)) throw fail(problems.notAComment(`is of ${commentIdOf(input)}`));
    const before = await store.read<{ readonly run: string }>(commentRecord(input));
    if (before !== null && before.run !== run) return null;
    const comment = await commentOf(to, input.comment);
    const answer = comment && (await answerTo(ports, comment, run));
    // Stored last: a comment whose workflow failed on the way may be delivered again.
    await store.create(commentRecord(input), { slipway: 1, run, at: new Date(ports.now()).toISOString() });
    return answer && { place: { issue: comment!.issue, since: comment!.created }, ...answer };
  };

async function answerTo(ports: CommentPorts, comment: Comment, mark: string): Promise<Answer | null> {
  const { hooks, to } = ports;
  const by = comment.author;
  const isForUs = readDirectives({ comment: comment.body, body: null, hooks }).kind !== 'none';
  const pull = isForUs ? await pullOf(to, comment.issue) : null;
  if (pull === null) return null;
  const refused = (why: Refusal): Answer => ({ reply: { mark, kind: 'refused', why, by } });
  if (!(await may(to, hooks, by))) return refused('stranger');
  if (comment.updated !== comment.created) return refused('edited');
  const body = mayAsk(pull.body) && (await may(to, hooks, pull.author)) ? pull.body : null;
  const asked = readDirectives({ comment: comment.body, body, hooks });
  if (asked.kind === 'cancel') {
    const runs = await ports.openRuns(to.repository, pull.number, asked.job);
    return { reply: { mark, kind: 'cancelled', runs, by }, cancel: runs };
  }
  if (!('given' in asked || 'mistakes' in asked)) return { reply: { mark, kind: 'help', hooks } };
  const why = await whyNotHead(to, hooks, pull, comment);
  return why === null ? planned(ports, { comment, pull, asked, mark }) : refused(why);
}

interface About {
  readonly comment: Comment;
  readonly pull: Pull;
  readonly asked: Extract<Directives, { given: object } | { mistakes: object }>;
  readonly mark: string;
}
const TRIED_AGAIN: readonly string[] = ['infra', 'lost', 'bug'];

/** Plans and signs. What planning says of the commit is for who wrote it, beside the mistakes of the comment. Outages are waited for. */
async function planned(ports: CommentPorts, { comment, pull, asked, mark }: About): Promise<Answer> {
  const { hooks, to, planner, store } = ports;
  const { author: by, id } = comment;
  const [mistakes, sound] = asked.kind === 'mistakes' ? [asked.mistakes, asked.sound] : [[], asked];
  if (sound === null) return { reply: { mark, kind: 'mistakes', mistakes } };
  const { file, profile } = hooks.jobs[sound.job]!;
  const commit = await ports.fetchHead(hooks.jobs[sound.job]!, pull.number);
  if (commit !== pull.head) return { reply: { mark, kind: 'refused', why: 'pushed', by } };
  try {
    const given = { ...sound.given, source: commit, label: `pr-${pull.number}-c${id}` };
    const { plan, digest } = await planner.submit(file, profile, given);
    const releases = notForComments(plan, sound.job);
    if (releases !== null) throw fail(releases);
    if (mistakes.length > 0) return { reply: { mark, kind: 'mistakes', mistakes } };
    const [of, { job }] = [headOf(plan), sound];
    const leftOut = [...plan.dropped, ...(plan.assumed ?? [])];
    const told = { job, run: workflowIdOf(of), by, commit, steps: plan.steps.length, leftOut };
    const about = { ...told, presets: sound.given.preset ?? [], settings: await changedIn(plan, store) };
    if (asked.kind === 'plan') return { reply: { mark, kind: 'plan', planned: about } };
    const memo = { repository: to.repository, pull: pull.number, job, workflowId: told.run };
    const start = { type: workflowTypeOf(of), plan: digest, engine: NEWEST_ENGINE, by: `@${by}`, memo };
    return { reply: { mark, kind: 'run', planned: about, status: null }, start };
  } catch (error) {
    if (!(error instanceof SlipwayFailure) || TRIED_AGAIN.includes(classOf(error.problems))) throw error;
    return { reply: { mark, kind: 'mistakes', mistakes, problems: error.problems.slice(0, 20) } };
  }
}

/** Rows that a payload holds. */
const MOST_ROWS = 1_000;

/** Returns what presets and options changed. */
async function changedIn({ settings }: Plan, store: Pick<Store, 'get'>): Promise<Planned['settings']> {
  if (settings === undefined) return [];
  const rows = changedRows(JSON.parse(await readText(store, settings)) as JsonObject);
  return rows.slice(0, MOST_ROWS).map(([path, value, from]) => ({ path, value, from }));
}
