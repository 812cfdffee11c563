import type { Problem } from '../../model/failure.js';

/** Limit of output characters per failure. The step's log has the whole output. */
const MOST_OUTPUT = 20_000;
const MOST_DETAILS = 1000;
const MOST_SENTENCE = 1000;
const MOST_PROBLEMS = 100;
/** Limit of problems in a failure whose output is cut to less than its details. */
const FEW_PROBLEMS = 3;

/** Truncates the problems of a step to fit a payload. The last lines of output stay.
 * @param most characters of output */
export function truncateProblems(problems: readonly Problem[], most = MOST_OUTPUT): readonly Problem[] {
  let left = most;
  return problems.slice(0, most < MOST_DETAILS ? FEW_PROBLEMS : MOST_PROBLEMS).map((problem) => {
    const { evidence, firstError = [], details, ...rest } = cutTexts(problem);
    const first = sizeOf(firstError) <= left ? firstError : [];
    left -= sizeOf(first);
    const detailed = details !== undefined && JSON.stringify(details).length <= Math.max(left, MOST_DETAILS);
    const lines = lastLines(evidence ?? [], left);
    left -= Math.min(left, sizeOf(lines) + (detailed ? JSON.stringify(details).length : 0));
    return {
      ...rest,
      ...(first.length > 0 && { firstError: first }),
      ...(lines.length > 0 && { evidence: lines }),
      ...(detailed && { details }),
    };
  });
}

export const outputOf = (problems: readonly Problem[]): number =>
  problems.reduce((sum, { evidence, firstError }) => sum + sizeOf(evidence ?? []) + sizeOf(firstError ?? []), 0);

const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 3, 0);

function lastLines(lines: readonly string[], most: number): readonly string[] {
  let left = most;
  const tooMuch = lines.findLastIndex((line) => (left -= sizeOf([line])) < 0);
  return lines.slice(tooMuch + 1);
}

const cutTexts = (problem: Problem): Problem => ({
  ...problem,
  message: short(problem.message),
  next: short(problem.next),
});
const short = (text: string): string => (text.length > MOST_SENTENCE ? `${text.slice(0, MOST_SENTENCE - 1)}…` : text);
