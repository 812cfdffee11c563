import { ApplicationFailure, TemporalFailure } from '@temporalio/workflow';
import { problemsOf, type About } from './problems-of.js';

/** What nobody thought of, wherever in a workflow's code it is thrown. Out of a handler it would close the workflow without a word on
 * what to do; out of a promise that nobody waits for it would make each task fail and be tried again, for ever. One state for each
 * workflow: the SDK gives each its own modules. */
let onMishap: (error: unknown) => void;
const first = new Promise<never>((_, reject) => (onMishap = reject));
first.catch(() => undefined); // who does not wait for it yet hears of it later

/** The first one counts. */
export const fatalError = (error: unknown): void => onMishap(error);

/** Rejects with the first mishap, where that comes before. */
export const unlessFatal = <T>(work: Promise<T>): Promise<T> => Promise.race([work, first]);

/** Of a promise that nobody waits for: it does not reject unless we have a bug. */
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

/** With a code and what to do, for whoever waits for the workflow or asked it. Temporal's own go on as they are. */
export function coded(error: unknown, about: About): TemporalFailure {
  if (error instanceof TemporalFailure) return error;
  const problems = problemsOf(error, about);
  const { code, message, next } = problems[0]!;
  return ApplicationFailure.nonRetryable(`${code}: ${message}. ${next}`, code, { problems });
}
