import { ApplicationFailure, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import { problemText } from '../model/failure.js';
import { typeUnknown } from './errors.js';
import { problemsOf, type About } from './problems-of.js';

/** Unexpected errors fail the run with a code, wherever they are thrown. Thrown in a handler, one would close the workflow without
 * advice. Thrown in a promise that nobody awaits, it would fail each workflow task for ever. The state is one for each workflow,
 * because the SDK gives each its own modules. */
let onMishap: (error: unknown) => void;
const first = new Promise<never>((_, reject) => (onMishap = reject));
first.catch(() => undefined); // nobody may await it yet

/** Records an unexpected error. The first one counts. */
export const fatalError = (error: unknown): void => onMishap(error);

/** Resolves as `work` does, or rejects with the first unexpected error if that comes before. */
export const unlessFatal = <T>(work: Promise<T>): Promise<T> => Promise.race([work, first]);

/** Watches a promise that nobody awaits. It rejects only if we have a bug. */
export const unawaited = (promise: Promise<unknown>): void => void promise.catch(fatalError);

/** A signal's sender gets no answer. */
export const guarded =
  <Args extends readonly unknown[]>(handler: (...args: Args) => void) =>
  (...args: Args): void => {
    try {
      handler(...args);
    } catch (error) {
      fatalError(error);
    }
  };

/** Returns an error with code and advice, for the caller of the workflow. Errors of Temporal's own stay as they are. */
export function coded(error: unknown, about: About): TemporalFailure {
  if (error instanceof TemporalFailure) return error;
  const problems = problemsOf(error, about);
  return ApplicationFailure.nonRetryable(problemText(problems[0]!), problems[0]!.code, { problems });
}

/** Removes the stack. Readers of a verdict in the Temporal UI have no use for it. */
export function withoutStack<T extends Error>(error: T): T {
  error.stack = '';
  return error;
}

/** Fails a workflow of an unknown type. Otherwise its first workflow task would be retried for ever. */
export async function unknownType(): Promise<never> {
  const problem = typeUnknown(workflowInfo().workflowType);
  throw withoutStack(ApplicationFailure.nonRetryable(problemText(problem), problem.code, { problems: [problem] }));
}
