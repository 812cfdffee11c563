import type { Place, Problem } from '../model/failure.js';
import type { RunStatus } from '../model/messages.js';

/** What a person may mend in the release file is told with its place there. */
const OF_THE_FILE: readonly Problem['class'][] = ['config', 'product'];

/** A status whose problems know their place: by their own path, else by the entry whose step they stopped. */
export function placed(status: RunStatus, locate: (path: string) => Place | null): RunStatus {
  const put = (problem: Problem, entry: string): Problem => {
    const place = OF_THE_FILE.includes(problem.class) ? locate(problem.path ?? entry) : null;
    return problem.place || !place ? problem : { ...problem, place };
  };
  return {
    ...status,
    problems: status.problems.map((problem) => put(problem, '')),
    steps: status.steps.map((step) => ({
      ...step,
      ...(step.problems && { problems: step.problems.map((problem) => put(problem, entryOf(step.id))) }),
    })),
  };
}

/** `wheels/skiff/cp312` is made by `wheels.skiff`. */
const entryOf = (step: string): string => step.split('/').slice(0, 2).join('.');
