import { ApplicationFailure, CancelledFailure, CompleteAsyncError, Context } from '@temporalio/activity';
import type { Problem } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import type { FailureDetails, StepActivity, StepEnding } from '../../model/messages.js';
import type { Body } from '../work.js';
import { assertStepInput, startNoter } from './asked.js';
import { attemptStep } from './attempt.js';
import { heartbeat } from './heartbeat.js';
import { problemsOf } from './failures.js';
import { createPlans } from './inputs.js';
import type { StepContext } from './ports.js';

export type Perform = <K extends KindName>(body: Body<K>) => StepActivity;

/** Makes a Temporal activity from a kind's body. Only coded failures reach Temporal. */
export function createPerform(around: StepContext): Perform {
  const planOf = createPlans(around.store, around.signatures);
  const noteStart = startNoter(around);
  return (body) => async (input) => {
    // Read here, since abort listeners and timers run outside the activity's async context.
    const context = Context.current();
    using pulse = heartbeat(context, around.waitsFor, around.worker);
    const end = either(context.cancellationSignal, around.stopping);
    const attempt = async (onMade: () => void): Promise<StepEnding> => {
      try {
        assertStepInput(input);
        await noteStart(input, context.info.workflowExecution?.workflowId ?? input.run);
        const leaves = (): boolean => end.signal.aborted && !isCancelled(context);
        const told = { delivery: context.info.attempt, ...pulse.lost, onLog: pulse.watch, onWaits: pulse.waits };
        const moment = { signal: end.signal, leaves, onMade, ...told };
        return await attemptStep(body, input, await planOf(input.plan), around, moment);
      } catch (error) {
        throw crossing(error, context, around);
      } finally {
        end.forget();
      }
    };
    let ending!: Promise<StepEnding>;
    const made = await new Promise<boolean>((resolve) => {
      ending = attempt(() => resolve(true));
      around.counts?.(context.info.activityType, ending);
      ending.finally(() => resolve(false)).catch(() => undefined);
    });
    const onLost = (error: unknown): void => context.log.warn('an ending was not told', { error });
    if (made && around.afterwards?.take(context.info.taskToken, ending, pulse.told, onLost))
      throw new CompleteAsyncError();
    return await ending;
  };
}

function crossing(error: unknown, context: Context, { home, stopping }: StepContext): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  const problems = problemsOf(error, null, home);
  if (!context.cancellationSignal.aborted && stopping?.aborted) return workerEnds();
  if (!context.cancellationSignal.aborted) return asApplicationFailure(problems);
  const reason: unknown = context.cancellationSignal.reason;
  if (reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN') return workerEnds();
  return reason instanceof CancelledFailure ? reason : new CancelledFailure(problems[0]!.message);
}

/** True if the run asked this attempt to end, and no lost connection or ending worker. */
function isCancelled({ cancellationSignal }: Context): boolean {
  const reason: unknown = cancellationSignal.reason;
  return reason instanceof CancelledFailure && reason.message === 'CANCELLED';
}

/** A retryable failure: Temporal gives the step to the next worker at once. */
function workerEnds(): ApplicationFailure {
  const failure = ApplicationFailure.retryable('its worker ended and left it to another', 'WORKER_ENDED');
  failure.stack = '';
  return failure;
}

/** Aborts with the first of two signals. `forget` removes the listeners, since the worker's signal outlives a step. */
function either(first: AbortSignal, second: AbortSignal | undefined): { signal: AbortSignal; forget(): void } {
  const both = new AbortController();
  const all = second ? [first, second] : [first];
  const listeners = all.map((signal) => ({ signal, abort: () => both.abort(signal.reason) }));
  for (const { signal, abort } of listeners)
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  return {
    signal: both.signal,
    forget: () => listeners.forEach(({ signal, abort }) => signal.removeEventListener('abort', abort)),
  };
}

/** Wraps problems for Temporal.
 * @param again true if Temporal itself retries; by default the engine decides */
export function asApplicationFailure(problems: readonly Problem[], { again = false } = {}): ApplicationFailure {
  const { code, message } = problems[0]!;
  const details: FailureDetails = { problems };
  const failure = ApplicationFailure.create({ type: code, message, nonRetryable: !again, details: [details] });
  failure.stack = ''; // the stack says nothing about the step
  return failure;
}
