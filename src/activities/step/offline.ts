import type { Problem } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { Reached } from './confine.js';
import { networkRefused } from './errors.js';

/** Returns the problems of a step as they are where its last program had the network. Where it had none, no server that answers is
 * no outage, and a failure whose output speaks of a connection names the key that gives the network. */
export const offline = (problems: readonly Problem[], step: StepId, reached: Reached): readonly Problem[] =>
  reached.offline ? problems.map((problem) => withoutNetwork(problem, step)) : problems;

function withoutNetwork(problem: Problem, step: StepId): Problem {
  if (problem.code === 'NETWORK_DOWN') {
    const { exitCode: _, ...details } = problem.details ?? {}; // its end has been judged
    return { ...problem, ...networkRefused(step), details };
  }
  if (problem.class !== 'product' || !SPEAKS_OF_IT.test((problem.evidence ?? []).join('\n'))) return problem;
  return { ...problem, next: `${problem.next} ${HAD_NONE}` };
}

const HAD_NONE =
  'The step has no network, nor the services of this machine: if it needs one, write `network: true` under the entry in the release file.';

/** Words of programs that reach no server; they may be about the product. */
const SPEAKS_OF_IT =
  /connection refused|network is unreachable|name resolution|could not resolve|name or service not known|no such host|UnknownHostException|\b(ECONNREFUSED|ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b/i;
