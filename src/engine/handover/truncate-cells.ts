import type { Problem } from '../../model/failure.js';
import type { CarriedCell } from './carried-cell.js';
import type { StepProgress } from '../run/step-progress.js';

/** Of all that steps failed with, what travels to the next generation: enough for a message to people, and the same however many are
 * held. Whoever shows the run knows the whole. */
const MOST_CHARACTERS = 50_000;
const SENTENCE = 500;
const DETAILS = 1000;
/** Of one failure, whatever came out of its step. */
const OUTPUT = 20_000;
const PROBLEMS = 100;
const FEW_PROBLEMS = 3;
/** Where the last of a row stands. */
const REST = 7;

/** Stands in a row for what its step failed with, where whoever reads it knows that already. */
export const AS_TOLD: readonly Problem[] = [];

/** Cells as they travel to the next generation: of what failed first, codes and what to do; of the others, only that it is known. */
export function truncateCells(rows: readonly CarriedCell[], most = MOST_CHARACTERS): readonly CarriedCell[] {
  let left = most;
  return rows.map((row) => {
    const problems = problemsOf(row);
    if (problems === undefined) return row;
    const brief = problems.slice(0, 1).map((problem) => cutTexts(withoutOutput(problem), SENTENCE));
    left -= JSON.stringify(brief).length;
    return withProblems(row, left >= 0 ? brief : AS_TOLD);
  });
}

/** What a step failed with, so that it fits into any message: of its output, the last lines.
 * @param most characters of its output */
export function truncateProblems(problems: readonly Problem[], most = OUTPUT): readonly Problem[] {
  let left = most;
  return problems.slice(0, most < DETAILS ? FEW_PROBLEMS : PROBLEMS).map((problem) => {
    const { evidence, firstError = [], details, ...rest } = cutTexts(problem, 1000);
    const first = sizeOf(firstError) <= left ? firstError : [];
    left -= sizeOf(first);
    const detailed = details !== undefined && JSON.stringify(details).length <= Math.max(left, DETAILS);
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

/** What decides about a failed attempt: all but its output. */
export const withoutOutputs = (problems: readonly Problem[]): readonly Problem[] =>
  problems.map(({ evidence: _, firstError: __, details, ...problem }) =>
    details !== undefined && JSON.stringify(details).length <= DETAILS ? { ...problem, details } : problem,
  );

/** Characters of output that a failure tells. */
export const outputOf = (problems: readonly Problem[]): number =>
  problems.reduce((sum, { evidence, firstError }) => sum + sizeOf(evidence ?? []) + sizeOf(firstError ?? []), 0);

export const problemsOf = (row: CarriedCell): readonly Problem[] | undefined =>
  (row[REST] as Partial<StepProgress> | null | undefined)?.problems;

/** The row with other problems; only of one that has some. */
export const withProblems = (row: CarriedCell, problems: readonly Problem[]): CarriedCell =>
  [...row.slice(0, REST), { ...(row[REST] as Partial<StepProgress>), problems }] as unknown as CarriedCell;

const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 3, 0);

function lastLines(lines: readonly string[], most: number): readonly string[] {
  let left = most;
  const tooMuch = lines.findLastIndex((line) => (left -= sizeOf([line])) < 0);
  return lines.slice(tooMuch + 1);
}

const withoutOutput = ({ evidence: _, firstError: __, details: ___, ...problem }: Problem): Problem => problem;
const cutTexts = (problem: Problem, most: number): Problem =>
  problem.message.length <= most && problem.next.length <= most
    ? problem
    : { ...problem, message: short(problem.message, most), next: short(problem.next, most) };
const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
