import type { Problem } from '../model/failure.js';
import { shownLines } from '../model/first-error.js';
import type { Io } from './command.js';
import { colours, plain, type Colours } from './render/paint.js';
import { problemLines } from './screens/failures.js';

/** All problems at once: place, code, fact, last lines of output, and what to do next. */
export function renderProblems(problems: readonly Problem[], terminal: Pick<Io['terminal'], 'colour'>): string {
  const paint = colours(terminal.colour);
  const lines = problems.flatMap((problem) => (problem.place ? placed(problem, paint) : problemLines(problem, paint)));
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
