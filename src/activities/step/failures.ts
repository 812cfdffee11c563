import { classify, errnoOf } from '../../model/classify.js';
import { type FailureClass, type Problem, SlipwayFailure } from '../../model/failure.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { FailureRules, Step } from '../../model/plan.js';
import { judgedEnd, LINES_JUDGED } from './ends.js';
import { unexpected, networkRefused } from './errors.js';
import type { StepLog } from './ports.js';
import { environmentProblem } from './environment-problem.js';
import type { StepId } from '../../model/ids.js';
import type { Reached } from './confine.js';

const STACK_LINES = 6;

/** Turns any error into problems for an operator, without secrets.
 * @param rules of the release file for exit statuses and output lines */
export function problemsOf(
  error: unknown,
  log: StepLog | null,
  root: string,
  rules: FailureRules = {},
): readonly Problem[] {
  const told = error instanceof SlipwayFailure ? error.problems : [unclassed(error, root)];
  const problems = told.map((problem) => judgedEnd(problem, log?.tail(LINES_JUDGED) ?? [], rules));
  const scrub = (text: string): string => log?.scrub(text) ?? text;
  return problems.map((problem, index) => {
    const output = problem.evidence ?? (index === 0 ? (log?.tail() ?? []) : []);
    const evidence = output.map(scrub);
    const firstError = index === 0 && evidence.length > 0 && !OWN.has(problem.class) ? (log?.firstError() ?? []) : [];
    return {
      ...problem,
      message: scrub(problem.message),
      next: scrub(problem.next),
      ...(problem.details && { details: scrubbed(problem.details, scrub) as JsonObject }),
      ...(firstError.length > 0 && { firstError: firstError.map(scrub) }),
      evidence,
    };
  });
}

/** Classes that no program's output explains. */
const OWN: ReadonlySet<FailureClass> = new Set(['bug', 'cancelled']);

/** Applies `scrub` to every text of a value, keys included. */
export function scrubbed(value: Json | undefined, scrub: (text: string) => string): Json {
  if (typeof value === 'string') return scrub(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map((one: Json) => scrubbed(one, scrub));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[scrub(key), scrubbed(one, scrub)]])),
  );
}

function unclassed(error: unknown, root: string): Problem {
  if (!(error instanceof Error)) return unexpected(String(error), []);
  const errno = errnoOf(error);
  const found = classify({ of: 'system', ...(errno !== undefined && { errno }) });
  const known = found.sign === null ? null : environmentProblem(found.sign, `${errno}: ${error.message}`);
  if (known !== null) return known;
  const stack = (error.stack ?? '').split('\n').slice(1, STACK_LINES);
  return unexpected(
    `${error.name}: ${error.message.split('\n')[0]}`,
    stack.map((line) => line.trim().replaceAll(root, '…')),
  );
}

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
