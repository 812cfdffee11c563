import { classify, errnoOf } from '../model/classify.js';
import { SlipwayFailure, type Problem } from '../model/failure.js';
import type { ExitCode, Io } from './command.js';
import { diskFullHere, notPermitted, unexpected } from './errors.js';
import { renderProblems } from './problems.js';
import { withTypedCommand, type Typed } from './with-typed-command.js';

/** Commands that read a release file: a wrong value in it is exit code 2. */
const READ_RELEASE_FILES = ['check', 'plan', 'run', 'schema', 'drill', 'simulate'];

/** Prints what a person needs to go on, and answers the exit code. A stack trace only where it was asked for. */
export function tellFailure(error: unknown, typed: Typed, io: Io, debug: boolean): ExitCode {
  if (debug && error instanceof Error) io.err(error.stack ?? error.message);
  const problems = error instanceof SlipwayFailure ? error.problems : [machineFault(error) ?? unexpected(error)];
  const told = problems.map((problem) => withTypedCommand(problem, typed));
  io.err(renderProblems(told, io.terminal));
  const isInput =
    READ_RELEASE_FILES.includes(typed.spec.name) && problems.every((problem) => problem.class === 'config');
  return isInput ? 2 : 1;
}

/** Returns the problem behind a system error such as a full disk or a folder of another user. Null for other errors. */
function machineFault(error: unknown): Problem | null {
  const errno = errnoOf(error);
  const { sign } = classify({ of: 'store', ...(errno !== undefined && { errno }) });
  const { message } = error as Error;
  return sign === 'disk full' ? diskFullHere(message) : sign === 'not writable' ? notPermitted(message) : null;
}
