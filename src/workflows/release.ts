import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ContinueAsNew,
  allHandlersFinished,
  condition,
  makeContinueAsNewFunc,
  setWorkflowOptions,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { assertPlanSize } from '../engine/run/assert-plan-size.js';
import { engineOf } from '../engine/run/engine-versions.js';
import { skeletonFault } from '../engine/checkpoint/checkpoint-fault.js';
import { Scheduler, type SchedulerOptions } from '../engine/run/scheduler.js';
import type { Continued, ContinuedMemo } from '../model/checkpoint.js';
import { type Problem, problemText } from '../model/failure.js';
import { CONTROL } from '../model/ids.js';
import {
  CONTINUED_MEMO,
  PLAN_MEMO,
  WORKFLOW_TASK_LIMIT,
  type ReleaseInput,
  type RunStatus,
  type Verdict,
} from '../model/messages.js';
import type { Skeleton } from '../model/plan.js';
import { isPriority } from '../model/priority.js';
import { Attributes } from './attributes.js';
import { cancelItself } from './cancel-itself.js';
import { runWasReset } from './errors.js';
import { coded, unlessFatal, withoutStack } from './fatal-errors.js';
import { watchHistory } from './long-history.js';
import { problemsOf, type About } from './problems-of.js';
import { assertNotReset, isReset } from './reset.js';
import { LOADING, assertNotByHand, continuedOf, resume } from './resume.js';
import { Run } from './run.js';
import { type RunLoop, runSteps } from './run-steps.js';
import { keepStatus, makePlan, saveCheckpoint } from './schedule.js';
import { soundAnswer } from './sound-answer.js';
import { TemporalExecutor } from './temporal-executor.js';
import { watchQueues } from './watch-queues.js';

/** Result of the workflow. A failed run has the status in the details of its failure. */
export interface RunOutcome extends Verdict {
  readonly status: RunStatus;
}

const PLANNING: About = { id: 'planning', kind: 'makePlan', on: CONTROL };
const ITSELF: About = { id: 'the workflow', kind: 'release', on: CONTROL };

/** A release, from a release file or a plan to its verdict. A run whose history grows long continues as new. */
export const release = (input: ReleaseInput): Promise<RunOutcome> => carriedOut(input);

/** A pipeline. The plan says which of both a run is; its type is for people and for lists of runs. */
export const pipeline = (input: ReleaseInput): Promise<RunOutcome> => carriedOut(input);

async function carriedOut(input: ReleaseInput): Promise<RunOutcome> {
  try {
    return await whole(input);
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    throw coded(error, ITSELF);
  }
}

async function whole(input: ReleaseInput): Promise<RunOutcome> {
  const run = new Run(continuedOf(input));
  const verdict = await CancellationScope.nonCancellable(() => conduct(run, input));
  if ('checkpoint' in verdict) return next({ ...input, continued: verdict }, verdict);
  run.actions.end();
  await CancellationScope.nonCancellable(() => run.actions.kept());
  await CancellationScope.nonCancellable(() => run.notifications.end(verdict));
  await CancellationScope.nonCancellable(() => keepStatus(run.status()));
  if (verdict.verdict === 'cancelled' && !run.cancelRequested) await cancelItself();
  // Not in the run's own scope: where Temporal was asked to cancel, that waits for nothing. Actions may have come until now.
  await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  await CancellationScope.nonCancellable(() => run.actions.kept());
  return close(run, isReset() ? stop(run, [runWasReset()]) : verdict);
}

/** Continues as new, with what others read of the run without a worker. */
function next(input: ReleaseInput, { run, startedAt }: Continued): Promise<never> {
  const memo = { ...workflowInfo().memo, [CONTINUED_MEMO]: { run, startedAt } satisfies ContinuedMemo };
  return makeContinueAsNewFunc<typeof release>({ memo, workflowTaskTimeout: WORKFLOW_TASK_LIMIT })(input);
}

// An unexpected error fails the run. By default it would fail the workflow task and be retried for ever.
setWorkflowOptions({ failureExceptionTypes: [Error] }, release);
setWorkflowOptions({ failureExceptionTypes: [Error] }, pipeline);

/** Returns the verdict, or what the next history is told. */
async function conduct(run: Run, input: ReleaseInput): Promise<Verdict | Continued> {
  let about = PLANNING;
  try {
    assertNotReset();
    engineOf((input as ReleaseInput | undefined)?.engine); // typed by hand: it may be missing altogether
    if (run.continued) {
      about = LOADING;
      await unlessFatal(resume(run, run.continued, { ...optionsOf(input), random: Math.random }));
    } else {
      assertNotByHand(input);
      run.skeleton = await unlessFatal(planned(run, input));
      run.scheduler = new Scheduler(run.skeleton, { ...optionsOf(input), nowMs: Date.now(), random: Math.random });
    }
    about = ITSELF;
    return await unlessFatal(execute(run, run.skeleton!, run.scheduler!, input));
  } catch (error) {
    run.inputs.close();
    return stop(run, problemsOf(error, about));
  }
}

async function planned(run: Run, input: ReleaseInput): Promise<Skeleton> {
  const { runId, workflowId } = workflowInfo();
  const scope = new CancellationScope();
  run.onCancel = () => scope.cancel();
  const ask = () => makePlan({ ...input, run: runId, workflowId });
  const made = await scope.run(() => soundAnswer(PLANNING.id, ask, skeletonFault));
  run.onCancel = () => undefined;
  assertPlanSize(made);
  tellPlan(made);
  return made;
}

/** Writes the digest of the plan into the memo. A second start compares it. */
function tellPlan({ plan: digest }: Skeleton): void {
  if (workflowInfo().memo?.[PLAN_MEMO] !== digest) upsertMemo({ [PLAN_MEMO]: digest });
}

async function execute(
  run: Run,
  skeleton: Skeleton,
  scheduler: Scheduler,
  input: ReleaseInput,
): Promise<Verdict | Continued> {
  const told = new Attributes(`${skeleton.name}/${skeleton.version}`);
  const queues = watchQueues(skeleton, run.inputs);
  const ended = await executeSteps(run, scheduler, input, () => told.tell(run.state, scheduler.held));
  queues.cancel();
  if ('checkpoint' in ended) return ended;
  run.end(ended);
  told.tell('ended', 0);
  return ended;
}

async function executeSteps(
  run: Run,
  scheduler: Scheduler,
  input: ReleaseInput,
  onChange: () => void,
): Promise<Verdict | Continued> {
  const { inputs, actions, notifications } = run;
  const executor = new TemporalExecutor(run.skeleton!, inputs, {
    run: { id: run.id, workflowId: workflowInfo().workflowId },
    priority: isPriority(input.priority) ? input.priority : undefined,
    kept: () => actions.unkept(),
  });
  const isIdle = (): boolean => !inputs.closed && executor.idle && actions.idle;
  const loop: RunLoop = {
    ...{ inputs, executor, onChange, isLong: watchHistory(input.continueAfter), isIdle },
    answer: (no, answer) => actions.answer(no, answer),
    notify: ({ no, notices, more }) => notifications.notify(no, notices, more),
  };
  for (;;) {
    if (await runSteps(scheduler, loop)) return scheduler.ended!;
    const digest = await saveCheckpoint({ run: run.id, checkpoint: run.checkpoint() });
    if (isIdle() && !inputs.some && !isReset()) return run.next(digest); // else something came meanwhile
  }
}

const optionsOf = (input: ReleaseInput): Omit<SchedulerOptions, 'nowMs' | 'random'> => ({
  onFailure: input.onFailure === 'fail' ? 'fail' : 'hold',
  stopAtGates: input.stopAtGates === true,
  ...(typeof input.by === 'string' && { startedBy: input.by }),
  engine: engineOf(input.engine),
});

/** Ends a run before its steps did: planning failed or was cancelled, or we have a bug. */
function stop(run: Run, problems: readonly Problem[]): Verdict {
  const verdict: Verdict =
    run.cancelled !== null && problems.every((problem) => problem.class === 'cancelled')
      ? { verdict: 'cancelled', reasons: [run.cancelled] }
      : { verdict: 'failed', reasons: problems.map((problem) => problem.message) };
  run.end(verdict, verdict.verdict === 'cancelled' ? [] : problems);
  return verdict;
}

/** Closes the workflow by the verdict: COMPLETED, FAILED or CANCELED. */
function close(run: Run, { verdict, reasons }: Verdict): RunOutcome {
  const status = run.status();
  const told = status.problems.map(problemText);
  const message = `${verdict}: ${(told.length > 0 ? told : reasons).slice(0, 5).join('; ')}`;
  if (verdict === 'cancelled') throw new CancelledFailure(message, [status]);
  if (verdict === 'failed') throw withoutStack(ApplicationFailure.nonRetryable(message, 'RELEASE_FAILED', status));
  return { verdict, reasons, status };
}
