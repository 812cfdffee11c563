import type { Hooks } from '../../schemas/hooks.js';
import { nearName, readText, type Mistake, type Read } from './words.js';

/** What a comment gives to planning: a part of `Given`. Absent where it is empty. */
export interface Chosen {
  /** Those of the job, then those of the comment. */
  readonly preset?: readonly string[];
  /** `PATH=YAML`, later ones win: /project and /cluster, then /var of the body, then /var of the comment. */
  readonly set?: readonly string[];
  /** Ids of entries: `steps/prepare`. */
  readonly skip?: readonly string[];
  readonly only?: readonly string[];
}

export type Directives =
  /** The comment is not for us. */
  | { readonly kind: 'none' }
  /** `sound`: what the other lines ask for, if they name a job: planning it may find more. */
  | { readonly kind: 'mistakes'; readonly mistakes: readonly Mistake[]; readonly sound?: Asked }
  | { readonly kind: 'help' }
  | ({ readonly kind: 'plan' | 'test' } & Asked)
  /** `job` null: of any job. */
  | { readonly kind: 'cancel'; readonly job: string | null };
interface Asked {
  readonly job: string;
  readonly given: Chosen;
}

interface Texts {
  readonly comment: string;
  /** Null if there is none, or its author may not start runs: nothing of it counts then. */
  readonly body: string | null;
  readonly hooks: Hooks;
}

/** Reads the directives of a comment, with the settings of the body of its pull request. Bounded: a text that would take long is a
 * mistake. Throws nothing. */
export function readDirectives({ comment, body, hooks }: Texts): Directives {
  const own = readText(comment, 'comment', hooks);
  const [command, ...more] = own.commands;
  if (own.first !== null && command === undefined && own.mistakes.length === 0)
    own.wrong(own.first, 'The comment starts nothing.', 'Add a line /test JOB, or /plan JOB to see what it would do.');
  for (const { line, what } of more)
    own.wrong(
      line,
      `/${what} is one too many: line ${command!.line.line} has /${command!.what}.`,
      'Write one comment for each run.',
    );
  if (command === undefined || command.what === 'help' || command.what === 'cancel') {
    const job = command?.what === 'cancel' ? cancelled(command, own, hooks) : null;
    if (own.mistakes.length > 0) return { kind: 'mistakes', mistakes: own.mistakes };
    return command === undefined
      ? { kind: 'none' }
      : command.what === 'help'
        ? { kind: 'help' }
        : { kind: 'cancel', job };
  }
  const above = readText(body ?? '', 'body', hooks);
  const asked = askedOf(command, own, above, hooks);
  const mistakes = [...own.mistakes, ...above.mistakes].sort((a, b) =>
    a.in === b.in ? a.line - b.line : a.in < b.in ? 1 : -1,
  );
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes, ...(asked !== null && { sound: asked }) };
  return { kind: command.what, ...asked! };
}

type Command = Read['commands'][number];

function cancelled(command: Command, own: Read, hooks: Hooks): string | null {
  const [job, ...more] = command.args;
  if (job !== undefined && isJob(job, command, own, hooks) && more.length > 0)
    own.wrong(command.line, '/cancel names one job, or none for all of this pull request.', 'Write /cancel JOB.');
  return job ?? null;
}

function isJob(job: string, { line }: Command, own: Read, { jobs }: Hooks): boolean {
  const known = Object.keys(jobs);
  const isKnown = known.includes(job);
  if (!isKnown)
    own.wrong(
      line,
      `There is no job ${JSON.stringify(job.slice(0, 80))}${nearName(job, known)}`,
      `Jobs: ${known.join(', ').slice(0, 500)}.`,
    );
  return isKnown;
}

/** Null without a known job. */
function askedOf(command: Command, own: Read, above: Read, hooks: Hooks): Asked | null {
  const [job, ...words] = command.args;
  if (job === undefined)
    own.wrong(
      command.line,
      `/${command.what} names no job.`,
      `Jobs: ${Object.keys(hooks.jobs).join(', ').slice(0, 500)}.`,
    );
  if (job === undefined || !isJob(job, command, own, hooks)) return null;
  const { presets, args, ...paths } = hooks.jobs[job]!;
  const set: string[] = [];
  const slots = args.split(' ');
  for (const word of ['cluster', 'project'] as const) {
    const said = own.named[word] ?? above.named[word];
    const path = paths[word];
    if (said !== undefined && path === undefined)
      (own.named[word] ? own : above).wrong(
        said.line,
        `The job ${job} takes no ${word}.`,
        `Take the line away, or name the setting in hooks.yaml: jobs.${job}.${word}.`,
      );
    const what = said?.what ?? (slots.includes(word) ? words.shift() : undefined);
    if (what !== undefined && path !== undefined) set.push(`${path}=${JSON.stringify(what)}`);
    else if (slots.includes(word))
      own.wrong(
        command.line,
        `The job ${job} needs a ${word}.`,
        `Write /${command.what} ${job} ${args.toUpperCase()}.`,
      );
  }
  if (args === 'none' && words.length > 0)
    own.wrong(command.line, `The job ${job} takes no presets.`, `Write /${command.what} ${job}.`);
  const steps = [...new Map([...above.steps, ...own.steps])];
  const idsOf = (word: 'skip' | 'only') => steps.flatMap(([id, one]) => (one === word ? [id] : []));
  const given = {
    preset: [...presets, ...words],
    set: [...set, ...above.set, ...own.set],
    skip: idsOf('skip'),
    only: idsOf('only'),
  };
  return { job, given: Object.fromEntries(Object.entries(given).filter(([, all]) => all.length > 0)) };
}
