import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  allHandlersFinished,
  condition,
  setWorkflowOptions,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { assertCarriable } from '../engine/handover/carriable.js';
import { isPacked, unpacked } from '../engine/handover/packed.js';
import { planFault } from '../engine/run/plan-fault.js';
import { truncateProblems } from '../engine/handover/truncate-cells.js';
import { Scheduler } from '../engine/run/scheduler.js';
import { engineOf } from '../engine/run/engine-versions.js';
import { fail, type Problem } from '../model/failure.js';
import { CONTROL } from '../model/ids.js';
import { PLAN_MEMO, type ReleaseInput, type Verdict } from '../model/messages.js';
import type { Skeleton } from '../model/plan.js';
import { isPriority } from '../model/priority.js';
import { cancelItself } from './cancel-itself.js';
import { Attributes } from './attributes.js';
import { eventsOf, handOverDue } from './generations/due.js';
import type { Rules } from './generations/messages.js';
import { Relay } from './generations/relay.js';
import { TemporalExecutor } from './temporal-executor.js';
import type { RunOutcome } from './messages.js';
import { problemsOf, refused, type About } from './problems-of.js';
import { runSteps } from './run-steps.js';
import { coded, unlessFatal } from './fatal-errors.js';
import { Run } from './run.js';
import { withoutStack } from './without-stack.js';
import { keepStatus, plan } from './schedule.js';
import { watchQueues } from './watch-queues.js';

const PLANNING: About = { id: 'planning', kind: 'makePlan', on: CONTROL };
const ITSELF: About = { id: 'the workflow', kind: 'release', on: CONTROL };

/** A release, from a release file or a plan to its verdict. The root is generation 0 and runs the steps itself. */
export async function release(input: ReleaseInput): Promise<RunOutcome> {
  try {
    return await whole(input);
  } catch (error) {
    throw coded(error, ITSELF);
  }
}

async function whole(input: ReleaseInput): Promise<RunOutcome> {
  const run = new Run();
  const verdict = await CancellationScope.nonCancellable(() => conduct(run, input));
  run.words.end();
  await CancellationScope.nonCancellable(() => run.words.kept());
  await CancellationScope.nonCancellable(() => run.tellings.end(verdict));
  await CancellationScope.nonCancellable(() => keepStatus(run.status()));
  if (verdict.verdict === 'cancelled' && !run.cancelRequested) await cancelItself();
  // Not in the run's own scope: where Temporal was asked to cancel, that waits for nothing. Words may have come until now.
  await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  await CancellationScope.nonCancellable(() => run.words.kept());
  return close(run, verdict);
}

// An unexpected error fails the run. By default it would fail the workflow task and be retried for ever.
setWorkflowOptions({ failureExceptionTypes: [Error] }, release);

async function conduct(run: Run, input: ReleaseInput): Promise<Verdict> {
  let about = PLANNING;
  try {
    engineOf((input as ReleaseInput | undefined)?.engine); // typed by hand: it may be missing altogether
    run.skeleton = await unlessFatal(makePlan(run, input));
    about = ITSELF;
    return await unlessFatal(execute(run, run.skeleton, rulesOf(input)));
  } catch (error) {
    run.inputs.close();
    return stop(run, problemsOf(error, about));
  }
}

async function makePlan(run: Run, input: ReleaseInput): Promise<Skeleton> {
  const { runId, workflowId } = workflowInfo();
  const scope = new CancellationScope();
  run.onCancel = () => scope.cancel();
  for (let tries = 1; ; tries++) {
    const made = await scope.run(() => plan({ ...input, run: runId, workflowId }));
    const fault = planFault(made);
    if (fault === null) {
      const { known: _, ...skeleton } = isPacked(made) ? unpacked(made) : { ...made, known: [] };
      run.onCancel = () => undefined;
      assertCarriable(skeleton);
      tellPlan(skeleton);
      return skeleton;
    }
    if (tries === PLAN_TRIES) throw fail(refused(PLANNING.id, fault, made));
    await scope.run(() => sleep(tries * PLAN_PAUSE_MS));
  }
}
/** Tries for a plan that is malformed. Another worker may give a sound one. */
const PLAN_TRIES = 5;
const PLAN_PAUSE_MS = 1000;

/** Writes the digest of the plan into the memo. A second start compares it. */
function tellPlan({ plan: digest }: Skeleton): void {
  if (workflowInfo().memo?.[PLAN_MEMO] !== digest) upsertMemo({ [PLAN_MEMO]: digest });
}

async function execute(run: Run, skeleton: Skeleton, rules: Rules): Promise<Verdict> {
  const scheduler = new Scheduler(skeleton, { ...rules, nowMs: Date.now(), random: Math.random });
  run.scheduler = scheduler;
  const told = new Attributes(`${skeleton.name}/${skeleton.version}`);
  const show = (): void => told.tell(run.state, scheduler.held);
  const queues = watchQueues(skeleton, run.inputs);
  const verdict = await carryOut(run, scheduler, rules, show);
  queues.cancel();
  run.end(verdict);
  told.tell('ended', 0);
  return verdict;
}

async function carryOut(run: Run, scheduler: Scheduler, rules: Rules, show: () => void): Promise<Verdict> {
  const { inputs, words, tellings } = run;
  const hands = new TemporalExecutor(run.skeleton!, inputs, {
    run: workflowInfo(),
    priority: rules.priority,
    kept: () => words.unkept(),
    answer: (no, answer) => words.answer(no, answer),
    bound: truncateProblems, // it stands in this history already
    tell: ({ no, notices, more }) => tellings.tell(no, notices, more),
    abortElsewhere: () => undefined, // it has ended meanwhile
  });
  const ended = await runSteps(scheduler, inputs, hands, show, () => handOverDue(rules.handOverAfter));
  if (ended) return scheduler.ended!;
  hands.wakeIn(null);
  return new Relay({ inputs, words, tellings, scheduler, hands, rules }).carryOn(show);
}

const rulesOf = (input: ReleaseInput): Rules => ({
  onFailure: input.onFailure === 'fail' ? 'fail' : 'hold',
  stopAtGates: input.stopAtGates === true,
  ...(typeof input.by === 'string' && { startedBy: input.by }),
  ...(isPriority(input.priority) && { priority: input.priority }),
  engine: engineOf(input.engine),
  handOverAfter: eventsOf(input.handOverAfter),
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
  const told = status.problems.map(({ code, message, next }) => `${code}: ${message}. ${next}`);
  const message = `${verdict}: ${(told.length > 0 ? told : reasons).slice(0, 5).join('; ')}`;
  if (verdict === 'cancelled') throw new CancelledFailure(message, [status]);
  if (verdict === 'failed') throw withoutStack(ApplicationFailure.nonRetryable(message, 'RELEASE_FAILED', status));
  return { verdict, reasons, status };
}
