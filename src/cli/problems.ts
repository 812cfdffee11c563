import type { Problem } from '../model/failure.js';
import type { Io } from './command.js';
import { colours } from './render/paint.js';
import { problemLines } from './screens/failures.js';

/** All problems at once: place, code, fact, last lines of output, and what to do next. */
export function renderProblems(problems: readonly Problem[], terminal: Io['terminal']): string {
  const paint = colours(terminal.colour);
  return problems.flatMap((problem) => problemLines(problem, paint)).join('\n');
}
