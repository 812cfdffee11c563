import type { Try } from '../../model/bisect.js';
import type { FailureClass, Problem } from '../../model/failure.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import { isStepOf } from '../../model/tests/outcome.js';

export interface TryEnd {
  readonly end: Try;
  /** Code and message of the failure that decided. Absent for a pass. */
  readonly because?: string;
}

/** Returns how a try ended, by the last status of its run.
 * @param test name in records, or of an entry */
export function tryOf(
  { steps, problems, verdict }: Pick<RunStatus, 'steps' | 'problems' | 'verdict'>,
  test: string,
): TryEnd {
  const tests = steps.filter(({ id }) => isStepOf(id, test));
  const failed = tests.filter(hasFailed);
  if (failed.some(({ problems: of }) => of?.some((problem) => problem.class === 'product')))
    return ended(
      'fail',
      failed.flatMap(problemsOf).filter((problem) => problem.class === 'product'),
    );
  if (failed.length === 0 && tests.length > 0 && tests.every(({ state }) => state === 'done' || state === 'cached'))
    return { end: 'pass' };
  const others = [...failed, ...steps.filter((step) => hasFailed(step))].flatMap(problemsOf);
  const found = others.length > 0 ? others : problems;
  return ended(found.every(isPassing) ? 'infra' : 'unbuildable', found, verdict?.reasons[0]);
}

/** A tolerated failure is left out, but it is one. */
const hasFailed = ({ state, tolerated }: StepStatus): boolean => state === 'failed' || tolerated === true;

const problemsOf = ({ problems }: StepStatus): readonly Problem[] => problems ?? [];

/** Classes that may be gone in the next try. */
const AGAIN: readonly FailureClass[] = ['infra', 'lost', 'cancelled', 'denied'];
const isPassing = (problem: Problem): boolean => AGAIN.includes(problem.class);

function ended(end: Try, [first]: readonly Problem[], otherwise = ''): TryEnd {
  const because = first ? `${first.code}: ${first.message}` : otherwise;
  return because === '' ? { end } : { end, because: because.slice(0, MOST_CHARACTERS) };
}
const MOST_CHARACTERS = 300;
