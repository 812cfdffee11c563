import { basename, dirname, isAbsolute } from 'node:path';
import { readText } from '../../../../activities/read-text.js';
import { problemsOf } from '../../../../activities/step/failures.js';
import { classOf } from '../../../../engine/run/next-after-failure.js';
import { NEWEST_ENGINE } from '../../../../model/engines.js';
import { fail, type Problem, SlipwayFailure } from '../../../../model/failure.js';
import { workflowIdOf, workflowTypeOf } from '../../../../model/ids.js';
import type { JsonObject } from '../../../../model/json.js';
import { headOf, type Plan } from '../../../../model/plan.js';
import type { Directives } from '../../pure/comments/directives.js';
import { notForComments } from '../../pure/comments/hooks.js';
import { cut } from '../../pure/comments/quiet.js';
import type { Planned } from '../../pure/comments/reply.js';
import type { Mistake } from '../../pure/comments/words.js';
import { changedRows } from '../../pure/config/why.js';
import type { Comment, Pull } from '../github/comments.js';
import type { Answer, CommentPorts } from './read-comment.js';

interface About {
  readonly comment: Comment;
  readonly pull: Pull;
  readonly asked: Extract<Directives, { given: object } | { mistakes: object }>;
}

/** Plans and signs. What planning says of the commit is for who wrote it, beside the mistakes of the comment. */
export async function planned(ports: CommentPorts, { comment, pull, asked }: About): Promise<Answer> {
  const { hooks, planner } = ports;
  const by = comment.author;
  const [mistakes, request] = asked.kind === 'mistakes' ? [asked.mistakes, asked.request] : [[], asked];
  if (request === null) return { reply: { kind: 'mistakes', mistakes } };
  const { job } = request;
  const { file, profile } = hooks.jobs[job]!;
  try {
    const commit = await ports.fetchHead(hooks.jobs[job]!, pull.number);
    if (commit !== pull.head) return { reply: { kind: 'refused', why: 'pushed', by } };
    const given = { ...request.given, source: commit, label: `pr-${pull.number}-c${comment.id}` };
    const { plan, digest, base, lacksBase } = await submittedSince(pull.base, (since) =>
      planner.submit(file, profile, { ...given, ...since }),
    );
    const releases = notForComments(plan, job);
    if (releases !== null) throw fail(releases);
    if (mistakes.length > 0) return { reply: { kind: 'mistakes', mistakes } };
    const of = headOf(plan);
    const memo = { repository: hooks.repository, pull: pull.number, job, workflowId: workflowIdOf(of) };
    const about: Planned = {
      ...{ job, run: memo.workflowId, by, commit, steps: plan.steps.length, presets: request.given.preset ?? [] },
      ...{ settings: await changedIn(plan, ports.store), leftOut: [...plan.dropped, ...(plan.assumed ?? [])] },
      ...(base !== null && { base, lacksBase }),
    };
    if (asked.kind === 'plan') return { reply: { kind: 'plan', planned: about } };
    const start = { type: workflowTypeOf(of), plan: digest, engine: NEWEST_ENGINE, by: `@${by}`, memo };
    return { reply: { kind: 'run', planned: about, status: null }, start };
  } catch (error) {
    return whyNot(ports, error, { file, mistakes });
  }
}

/** Submits a plan since a commit; without it if no entry asks what changed, or if the clone lacks it or a common ancestor. */
async function submittedSince<T>(base: string, submit: (since?: { readonly since: string }) => Promise<T>) {
  try {
    return { ...(await submit({ since: base })), base, lacksBase: false };
  } catch (error) {
    const codes = error instanceof SlipwayFailure ? error.problems.map(({ code }) => code) : [''];
    if (!codes.every((code) => NO_BASE.includes(code))) throw error;
    return { ...(await submit()), base: codes.includes('SINCE_WITHOUT_CONDITION') ? null : base, lacksBase: true };
  }
}
const NO_BASE = ['SINCE_WITHOUT_CONDITION', 'SINCE_UNKNOWN', 'SINCE_WITHOUT_MERGE_BASE'];

/** Rows that a payload holds. */
const MOST_ROWS = 500;
const MOST_TEXT = 200;

async function changedIn({ settings }: Plan, store: CommentPorts['store']): Promise<Planned['settings']> {
  if (settings === undefined) return [];
  const rows = changedRows(JSON.parse(await readText(store, settings)) as JsonObject);
  const row = ([path, value, from]: readonly string[]) => ({ path: path!, value: value!, from: from! });
  return rows.slice(0, MOST_ROWS).map((texts) => row(texts.map((text) => cut(text, MOST_TEXT))));
}

/** Attempts of about ten minutes in which an outage may end. */
const MOST_ATTEMPTS = 10;
const MOST_TOLD = 20;
/** Codes of problems of /skip and /only, which have no place. */
const OF_STEPS = ['UNKNOWN_ENTRY', 'ENTRY_NOT_LEFT_OUT'];

/** Returns why a comment starts nothing. The reply has a problem of the commit, the release file, an option or a step in full. It has the
 * codes alone of all others, and of those that name a folder of this machine. Throws outages until they have lasted.
 * @param planned release file of the job and mistakes of the comment. Null: nothing was planned */
export function whyNot(
  { to, asks, folders, warn }: CommentPorts,
  error: unknown,
  planned: { readonly file: string; readonly mistakes: readonly Mistake[] } | null,
): Answer {
  to.signal.throwIfAborted();
  const found = problemsOf(error, null, folders[0]!);
  if (['infra', 'lost'].includes(classOf(found)) && asks.attempt < MOST_ATTEMPTS) throw error;
  const secret = [...folders, ...(planned === null ? [] : [dirname(planned.file)])];
  const isForAll = ({ code, class: of, place, message, next, evidence = [] }: Problem): boolean =>
    (of === 'config' || of === 'product') &&
    (place !== undefined || OF_STEPS.includes(code)) &&
    !secret.some((folder) => [message, next, ...evidence].some((text) => text.includes(folder)));
  const problems = found.filter(isForAll).slice(0, MOST_TOLD).map(withoutFolder);
  const others = found.filter((one) => !isForAll(one));
  others.forEach(warn);
  const codes = [...new Set(others.map(({ code }) => code))];
  return { reply: { kind: 'mistakes', mistakes: planned?.mistakes ?? [], problems, codes } };
}

const withoutFolder = ({ place, ...problem }: Problem): Problem => ({
  ...problem,
  ...(place && { place: isAbsolute(place.file) ? { ...place, file: basename(place.file) } : place }),
});
