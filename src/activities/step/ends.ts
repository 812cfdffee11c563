import { classify } from '../../model/classify.js';
import type { Problem } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import type { FailureRules, RuledClass } from '../../model/plan.js';
import { compileExpression } from '../../model/schema/expression.js';
import { environmentProblem } from './environment-problem.js';

/** Last lines of output that are searched for patterns of the release file. */
export const LINES_JUDGED = 200;

const SIGNALS: Readonly<Record<number, string>> = {
  130: 'SIGINT',
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  141: 'SIGPIPE',
  143: 'SIGTERM',
};

/** Classifies the end of a program: by the rules of the release file, else by known failure patterns, else as its
 * activity did. Only problems with `exitCode` in their details are about the end of a program.
 * @param tail the last lines of its output */
export function judgedEnd(problem: Problem, tail: readonly string[], rules: FailureRules): Problem {
  const { exitCode: exit } = problem.details ?? {};
  if (typeof exit !== 'number' || exit === 0) return problem;
  const told = withDetails(problem, SIGNALS[exit] === undefined ? {} : { signal: SIGNALS[exit] });
  const ruled = ruling(exit, tail, rules);
  if (ruled !== null)
    return {
      ...withDetails(told, { ruledBy: ruled.by }),
      class: ruled.class,
      message: `${told.message} (${ruled.by}: ${ruled.class})`,
    };
  return problem.class === 'product' || problem.class === 'config' ? bySigns(told, exit) : told;
}

const withDetails = (problem: Problem, more: JsonObject): Problem => ({
  ...problem,
  details: { ...problem.details, ...more },
});

/** Searches the evidence only: earlier lines may be about another failure. */
function bySigns(problem: Problem, exit: number): Problem {
  const of = problem.details?.['of'] === 'test' ? 'test' : 'command';
  const { sign } = classify({ of, exit, words: (problem.evidence ?? []).join('\n') });
  const known = sign === null ? null : environmentProblem(sign, problem.message);
  if (known === null) return problem;
  return { ...problem, ...known, details: { ...problem.details, was: problem.code } };
}

function ruling(
  exit: number,
  tail: readonly string[],
  { exit: byExit, lines = [] }: FailureRules,
): { class: RuledClass; by: string } | null {
  const said = byExit?.[exit];
  if (said !== undefined) return { class: said, by: `retry.exit ${exit}` };
  const rule = lines.find(({ match }) => {
    const expression = compileExpression(match);
    return tail.some((line) => expression.test(line));
  });
  return rule === undefined ? null : { class: rule.class, by: `retry.lines ${JSON.stringify(rule.match)}` };
}
