import type { Problem } from '../model/failure.js';
import type { CarriedCell } from './carried-cell.js';
import type { Cell } from './cell.js';

/** The server refuses payloads of two megabytes, and the task that sends one with it, for ever. The plan and the inputs travel beside
 * the cells. */
const MOST_CHARACTERS = 300_000;
const SENTENCE = 160;
/** Where the last of a row stands. */
const REST = 7;

/** Cells as they travel to the next generation: of what failed first the output stays behind, then all but codes and what to do, then
 * that, too. Whoever shows the run was told it all before. */
export function light(rows: readonly CarriedCell[], most = MOST_CHARACTERS): readonly CarriedCell[] {
  for (const cut of [same, withoutEvidence, inBrief]) {
    const lighter = rows.map((row) => withProblems(row, cut));
    if (JSON.stringify(lighter).length <= most) return lighter;
  }
  return rows.map((row) => withProblems(row, () => undefined));
}

/** What a step failed with, so that it fits into any message.
 * @param most characters of its output */
export function bounded(problems: readonly Problem[], most = 20_000): readonly Problem[] {
  let left = most;
  return problems.slice(0, 100).map((problem) => {
    const size = JSON.stringify([problem.evidence, problem.details]).length;
    const whole = size <= left;
    left -= Math.min(left, size);
    return whole ? cutTexts(problem, 1000) : cutTexts(withoutOutput(problem), 1000);
  });
}

const withoutOutput = ({ evidence: _, details: __, ...problem }: Problem): Problem => problem;
const cutTexts = (problem: Problem, most: number): Problem =>
  problem.message.length <= most && problem.next.length <= most
    ? problem
    : { ...problem, message: short(problem.message, most), next: short(problem.next, most) };
const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

type Cut = (problems: readonly Problem[]) => readonly Problem[] | undefined;
const same: Cut = (problems) => problems;
const withoutEvidence: Cut = (problems) => problems.slice(0, 3).map(withoutOutput);
const inBrief: Cut = (problems) => problems.slice(0, 1).map((problem) => cutTexts(withoutOutput(problem), SENTENCE));

function withProblems(row: CarriedCell, cut: Cut): CarriedCell {
  const rest = row[REST] as Partial<Cell> | null | undefined;
  if (!rest?.problems) return row;
  const { problems, ...others } = rest;
  const left = cut(problems);
  return [...row.slice(0, REST), { ...others, ...(left && { problems: left }) }] as unknown as CarriedCell;
}
