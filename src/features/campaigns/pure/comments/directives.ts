import type { Given } from '../../../../model/plan.js';
import type { Hooks } from '../../schemas/hooks.js';
import { linesFor, orNear, Words, type Mistake } from './words.js';

/** A run that a comment asks for. A key of `given` without values is absent. In `set` later ones win: /project and /cluster of the
 * description, its /var, then both of the comment. */
interface RunRequest {
  readonly job: string;
  readonly given: Pick<Given, 'preset' | 'set' | 'skip' | 'only'>;
}

export type Directives =
  /** The comment is not for us. */
  | { readonly kind: 'none' | 'help' }
  /** `request`: what the other lines ask for, if they name a job. Planning it may find more. */
  | { readonly kind: 'mistakes'; readonly mistakes: readonly Mistake[]; readonly request: RunRequest | null }
  | ({ readonly kind: 'plan' | 'test' } & RunRequest)
  /** `job` null: all of this pull request. */
  | { readonly kind: 'cancel'; readonly job: string | null };

/** Commands that start nothing: the most words behind them, and how a person writes them. */
const ALONE: Readonly<Record<string, { readonly words: number; readonly as: string }>> = {
  help: { words: 0, as: '/help' },
  cancel: { words: 1, as: '/cancel, or /cancel JOB' },
};

/** Whether a comment asks for something, or nearly. Its values are not read. */
export const isForUs = (comment: string, { others }: Hooks): boolean => linesFor(comment, 'comment', others).length > 0;

/** Reads directives of a comment, and settings in the body of its pull request. A text that would take long is a mistake. Throws nothing.
 * @param body null if there is none, or its author may not start runs: nothing of it counts then */
export function readDirectives(comment: string, body: string | null, hooks: Hooks): Directives {
  const inComment = new Words(comment, 'comment', hooks.others);
  const [command, ...more] = inComment.commands;
  const [first] = inComment.lines;
  if (first !== undefined && command === undefined && inComment.mistakes.length === 0)
    inComment.wrong(
      first,
      'The comment starts nothing.',
      'Add a line /test JOB, or /plan JOB to see what it would do.',
    );
  for (const { line, what } of more)
    inComment.wrong(line, `/${what} is one too many.`, 'Write one comment for each run.');
  const { line, what = '', args = [] } = command ?? {};
  const { words, as } = ALONE[what] ?? {};
  if (words !== undefined && (inComment.size > 0 || args.length > words))
    inComment.wrong(line!, `/${what} takes no more words and no other directives.`, `Write ${as} alone.`);
  const isAsked = command !== undefined && words === undefined;
  const inBody = new Words((isAsked && body) || '', 'body', hooks.others);
  const job = command === undefined || command.what === 'help' ? null : jobOf(command, inComment, hooks, isAsked);
  const request = isAsked && job !== null ? requestOf(job, command, { inComment, inBody }, hooks) : null;
  const mistakes = [inComment, inBody].flatMap((words) => words.mistakes.sort((a, b) => a.line - b.line));
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes, request };
  if (request !== null) return { kind: command!.what as 'test', ...request };
  return command?.what === 'cancel' ? { kind: 'cancel', job } : { kind: command === undefined ? 'none' : 'help' };
}

type Command = Words['commands'][number];

/** The job that a command names. Null: none, or an unknown one. */
function jobOf({ what, args: [job], line }: Command, inComment: Words, hooks: Hooks, isNeeded: boolean): string | null {
  const known = Object.keys(hooks.jobs);
  if (job !== undefined && known.includes(job)) return job;
  const why = job === undefined ? `/${what} names no job.` : `There is no job "${job}"${orNear(job, known)}`;
  if (job !== undefined || isNeeded) inComment.wrong(line, why, `Jobs: ${known.join(', ')}.`);
  return null;
}

function requestOf(
  job: string,
  { what, line, args }: Command,
  { inComment, inBody }: Record<'inComment' | 'inBody', Words>,
  hooks: Hooks,
): RunRequest {
  const { presets, args: meaning, ...paths } = hooks.jobs[job]!;
  const [ofBody, ofComment, words]: [string[], string[], string[]] = [[], [], args.slice(1)];
  for (const word of ['cluster', 'project'] as const) {
    const from = inComment.named[word] === undefined ? inBody : inComment;
    const [named, path, isWord] = [from.named[word], paths[word], meaning.includes(word)];
    const advice = `Take it out, or write jobs.${job}.${word} in hooks.yaml.`;
    if (named !== undefined && path === undefined) from.wrong(named.line, `The job ${job} takes no ${word}.`, advice);
    const value = named?.what ?? (isWord ? words.shift() : undefined);
    if (value !== undefined && path !== undefined)
      (named !== undefined && from === inBody ? ofBody : ofComment).push(`${path}=${JSON.stringify(value)}`);
    else if (isWord)
      inComment.wrong(line, `The job ${job} needs a ${word}.`, `Write /${what} ${job} ${meaning.toUpperCase()}.`);
  }
  if (meaning === 'none' && words.length > 0)
    inComment.wrong(line, `The job ${job} takes no presets.`, 'Take them out.');
  const steps = [...new Map([...inBody.steps, ...inComment.steps])];
  const [skip, only] = ['/skip', '/only'].map((of) => steps.flatMap(([id, one]) => (one === of ? [id] : [])));
  const set = [...ofBody, ...inBody.set, ...ofComment, ...inComment.set];
  const given = { preset: [...presets, ...words], set, skip: skip!, only: only! };
  return { job, given: Object.fromEntries(Object.entries(given).filter(([, all]) => all.length > 0)) };
}
