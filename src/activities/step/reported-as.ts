import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { Step } from '../../model/plan.js';
import type { Reached } from './confine.js';
import { networkRefused } from './errors.js';
import { problemsOf } from './failures.js';
import type { StepLog } from './ports.js';

/** Returns the problems of a failed attempt as the run reports them, whatever was thrown.
 * @param root the worker's home, which no message shows */
export const reportedAs = (
  error: unknown,
  log: StepLog,
  root: string,
  { id, retry }: Pick<Step, 'id' | 'retry'>,
  reached: Reached,
): readonly Problem[] => offline(problemsOf(error, log, root, retry), id, reached);

/** Adapts problems of a step whose last program ran without network. NETWORK_DOWN becomes NETWORK_REFUSED, so it is no
 * outage. Other product failures with network errors in their output get a hint about `network: true`. */
const offline = (problems: readonly Problem[], step: StepId, reached: Reached): readonly Problem[] =>
  reached.offline ? problems.map((problem) => withoutNetwork(problem, step)) : problems;

function withoutNetwork(problem: Problem, step: StepId): Problem {
  if (problem.code === 'NETWORK_DOWN') {
    const { exitCode: _, ...details } = problem.details ?? {}; // the exit status has been judged already
    return { ...problem, ...networkRefused(step), details };
  }
  if (problem.class !== 'product' || !SPEAKS_OF_IT.test((problem.evidence ?? []).join('\n'))) return problem;
  return { ...problem, next: `${problem.next} ${HAD_NONE}` };
}

const HAD_NONE =
  'The step has no network, nor the services of this machine: if it needs one, write `network: true` under the entry in the release file.';

/** Network errors of programs. The product may also print them. */
const SPEAKS_OF_IT =
  /connection refused|network is unreachable|name resolution|could not resolve|name or service not known|no such host|UnknownHostException|\b(ECONNREFUSED|ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b/i;
