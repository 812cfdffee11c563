import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { Problem } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import type { FailureDetails, StepActivity, StepInput } from '../../model/messages.js';
import { type Started, records } from '../../model/run-folder.js';
import type { Body } from '../work.js';
import { attemptStep } from './attempt.js';
import { beat } from './beat.js';
import { problemsOf } from './failures.js';
import { createPlans } from './plans.js';
import type { Surroundings } from './ports.js';

export type Perform = <K extends KindName>(body: Body<K>) => StepActivity;

/** Makes a Temporal activity of a kind's body. Coded failures are all that crosses. */
export function createPerform(around: Surroundings): Perform {
  const planOf = createPlans(around.store);
  const noteStart = startNoter(around);
  return (body) => async (input) => {
    // Taken now: abort listeners and timers run outside the activity's async context.
    const context = Context.current();
    const pulse = beat(context, around.waitsFor);
    try {
      await noteStart(input, context.info.workflowExecution?.workflowId ?? input.run);
      const signal = context.cancellationSignal;
      const moment = { signal, delivery: context.info.attempt, onLog: pulse.watch };
      return await attemptStep(body, input, await planOf(input.plan), around, moment);
    } catch (error) {
      throw crossing(error, context, around.home);
    } finally {
      pulse.stop();
    }
  };
}

function crossing(error: unknown, context: Context, root: string): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  const problems = problemsOf(error, null, root);
  if (!context.cancellationSignal.aborted) return asApplicationFailure(problems);
  const reason: unknown = context.cancellationSignal.reason;
  return reason instanceof CancelledFailure ? reason : new CancelledFailure(problems[0]!.message);
}

/** The one function that carries a failure across Temporal. @param again whether Temporal itself tries again; else the engine decides */
export function asApplicationFailure(problems: readonly Problem[], { again = false } = {}): ApplicationFailure {
  const { code, message } = problems[0]!;
  const details: FailureDetails = { problems };
  const failure = ApplicationFailure.create({ type: code, message, nonRetryable: !again, details: [details] });
  failure.stack = ''; // the path through our code says nothing about the step
  return failure;
}

/** Records once per run that it began, so that its logs are found while no Temporal server runs. */
function startNoter(
  around: Surroundings,
): (input: Pick<StepInput, 'run' | 'plan'>, workflowId: string) => Promise<void> {
  const noted = new Set<string>();
  return async ({ run, plan }, workflowId) => {
    if (noted.has(run)) return;
    const started: Started = { run, workflowId, plan, at: new Date(around.now()).toISOString() };
    await around.store.create(records.started(run), started);
    noted.add(run);
  };
}
