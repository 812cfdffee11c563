import { join } from 'node:path';
import { classify, errnoOf } from '../model/classify.js';
import { SlipwayFailure, type Problem } from '../model/failure.js';
import { shownLines } from '../model/first-error.js';
import { grouped } from '../model/grouped.js';
import { shellWord } from '../model/quoted.js';
import type { ExitCode, Io, Input } from './command.js';
import { diskFullHere, notPermitted, unexpected } from './errors.js';
import { colours, plain, type Colours } from './render/paint.js';
import { problemLines } from './screens/failures.js';

interface Typed {
  /** Data of a `CommandSpec`. */
  readonly spec: { readonly name: string; readonly arguments?: readonly { readonly name: string }[] };
  readonly input: Input;
}

/** Examples of one cause. */
const EXAMPLES = 3;

/** Release file of a command that names none. */
const DEFAULT_FILE = 'slipway.yaml';

/** Arguments of commands that read a release file: a wrong value in it is exit code 2. */
const RELEASE_FILE = /^\[(file|plan)\]$/;

/** Prints what a person needs to go on, and answers the exit code. A stack trace only where it was asked for. */
export function tellFailure(error: unknown, typed: Typed, io: Io, debug: boolean): ExitCode {
  if (debug && error instanceof Error) io.err(error.stack ?? error.message);
  const problems = error instanceof SlipwayFailure ? error.problems : [machineFault(error) ?? unexpected(error)];
  const told = problems.map((problem) => withTypedCommand(problem, typed));
  const all = ['all', 'json'].some((option) => typed.input.options[option] === true);
  io.err(renderProblems(told, io.terminal, all));
  const { spec, input } = typed;
  const known = spec.arguments ?? [];
  const reads = known.some(({ name }) => RELEASE_FILE.test(name));
  // `why STEP` asks about a run.
  const hasSubject = input.args['subject'] !== undefined || known.some(({ name }) => name.startsWith('<'));
  const asksRun = input.args['file'] === undefined && hasSubject;
  const isInput = reads && !asksRun && problems.every((problem) => problem.class === 'config');
  return isInput ? 2 : 1;
}

/** Returns the problem behind a system error such as a full disk or a folder of another user. Null for other errors. */
function machineFault(error: unknown): Problem | null {
  const errno = errnoOf(error);
  const { sign } = classify({ of: 'store', ...(errno !== undefined && { errno }) });
  const { message } = error as Error;
  return sign === 'disk full' ? diskFullHere(message) : sign === 'not writable' ? notPermitted(message) : null;
}

/** All problems at once: place, code, fact, last lines of output, and what to do next. Of problems with one code and one next step,
 * the first three, and a count.
 * @param all tells each of them */
export function renderProblems(
  problems: readonly Problem[],
  terminal: Pick<Io['terminal'], 'colour'>,
  all = false,
): string {
  const paint = colours(terminal.colour);
  const keyOf = ({ code, next }: Problem): string => `${code} ${next}`;
  const alike = grouped(problems, keyOf);
  const told = new Map<string, number>();
  const lines = problems.flatMap((problem) => {
    const key = keyOf(problem);
    const rest = all ? 0 : alike.get(key)!.length - EXAMPLES;
    const at = (told.get(key) ?? 0) + 1;
    told.set(key, at);
    if (rest > 1 && at > EXAMPLES) return [];
    const more = `  and ${rest} more ${problem.code} of the same cause: --all tells them`;
    return [
      ...(problem.place ? placed(problem, paint) : problemLines(problem, paint)),
      ...(rest > 1 && at === EXAMPLES ? [more] : []),
    ];
  });
  return [...lines, ...count(problems)].join('\n');
}

/** A problem of a file reads as compilers print theirs: editors jump to `file:line:column`. */
function placed(problem: Problem, paint: Colours): readonly string[] {
  const { file, line, column } = problem.place!;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const what = problem.path ? `${problem.path}: ` : '';
  return [
    `${paint.bold(plain(place))} ${plain(what)}${paint.red(plain(problem.message))}`,
    ...shownLines(problem).map((text) => `  ${paint.dim('|')} ${plain(text)}`),
    `  ${paint.dim(problem.code)}  ${paint.cyan('next:')} ${plain(problem.next)}`,
  ];
}

const count = (problems: readonly Problem[]): readonly string[] =>
  problems.length > 1 ? [`${problems.length} problems`] : [];

/** Names the typed command in the next line of RELEASE_FILE_ABSENT, with FILE for the absent path. Code that reads files does not know the command. */
function withTypedCommand(problem: Problem, { spec, input }: Typed): Problem {
  const absent = problem.details?.['file'];
  if (problem.code !== 'RELEASE_FILE_ABSENT' || typeof absent !== 'string') return problem;
  const given = wordsOf(spec, input);
  const at = given.findIndex((word) => word === absent || join(word, DEFAULT_FILE) === absent);
  if (at === -1 && absent !== DEFAULT_FILE) return problem;
  const words =
    at === -1 ? [...given.map(shellWord), 'FILE'] : given.map((word, i) => (i === at ? 'FILE' : shellWord(word)));
  const line = ['slipway', spec.name, ...words].join(' ');
  return {
    ...problem,
    next: `Name a release file or its folder: \`${line}\`. \`slipway init\` writes one in the checkout of a project.`,
  };
}

/** The arguments of a command line, without options. */
const wordsOf = ({ arguments: known = [] }: Typed['spec'], { args, rest = [] }: Input): readonly string[] => [
  ...known.flatMap(({ name }) => (name.includes('...') ? [] : (args[name.replace(/[^\w-]/g, '')] ?? []))),
  ...rest,
];
