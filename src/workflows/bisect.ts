import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowFailure,
  ParentClosePolicy,
  isCancellation,
  log,
  proxyActivities,
  setWorkflowOptions,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { blameOf, decideBisect } from '../engine/bisect/decide.js';
import { tryOf, type TryEnd } from '../engine/bisect/try-of.js';
import {
  probeOf,
  type BisectInput,
  type BisectSpan,
  type BisectStatus,
  type KeepBlame,
  type PlanBisect,
} from '../model/bisect.js';
import { fail } from '../model/failure.js';
import { CONTROL, PIPELINE_WORKFLOW } from '../model/ids.js';
import type { ReleaseInput, RunStatus } from '../model/messages.js';
import { entryOf } from '../model/tests/outcome.js';
import { Bisection } from './bisection.js';
import { coded, unlessFatal } from './fatal-errors.js';
import { problemsOf } from './problems-of.js';
import type { RunOutcome } from './release.js';
import { COMMON } from './schedule.js';

const { planBisect } = proxyActivities<{ planBisect: PlanBisect }>({
  ...COMMON,
  taskQueue: CONTROL,
  startToCloseTimeout: '10 minutes',
  cancellationType: 'TRY_CANCEL',
});
const { keepBlame } = proxyActivities<{ keepBlame: KeepBlame }>({
  taskQueue: CONTROL,
  heartbeatTimeout: '10 seconds',
  scheduleToCloseTimeout: '20 minutes',
  retry: { initialInterval: 100, maximumInterval: '10 seconds' },
});

/** Finds the commit since which a test fails. Each try is an ordinary run of the pipeline at one commit. */
export async function bisect(input: BisectInput): Promise<BisectStatus> {
  try {
    return await unlessFatal(whole(new Bisection(input), input));
  } catch (error) {
    const about = { id: 'planning the bisect', kind: 'planBisect', on: CONTROL };
    const isPlanning = error instanceof ActivityFailure && !isCancellation(error);
    throw coded(isPlanning ? fail(problemsOf(error, about)) : error, { ...about, id: 'the bisect' });
  }
}
// An unexpected error fails the workflow. By default it would fail the workflow task and be retried for ever.
setWorkflowOptions({ failureExceptionTypes: [Error] }, bisect);

async function whole(bisection: Bisection, input: BisectInput): Promise<BisectStatus> {
  const { runId: run, workflowId } = workflowInfo();
  const span = await planBisect({ ...input, run, workflowId });
  // The beginning of a run id is a time: bisects of the same weeks share it.
  const { pipeline, commits, mark = run.slice(0, 4) } = span;
  bisection.begin(span);
  for (;;) {
    await bisection.mayGoOn();
    const step = decideBisect({ commits: commits.length, ways: input.ways }, bisection.tries);
    if (step.next === 'end') {
      const status = bisection.end(step.answer);
      await tellStandings(input, span, blameOf(step.answer, commits));
      return status;
    }
    const asked = step.ask.flatMap(({ commit, times }) => Array.from({ length: times }, () => commit));
    const tries = asked.map(async (commit) => {
      const probe = probeOf(input, mark, commits[commit]!, bisection.start(commit));
      bisection.note(commit, await tried(`${PIPELINE_WORKFLOW}/${pipeline}/${probe.label}`, { ...input, probe }));
    });
    await Promise.all(tries);
  }
}

/** Stores the blame for the next standings of the test. Does nothing without standings or without a commit to blame. The answer
 * stands although the store does not answer. */
async function tellStandings(
  { test, profile }: BisectInput,
  { pipeline, branch }: BisectSpan,
  commits: string | null,
): Promise<void> {
  if (branch === undefined || commits === null) return;
  const { runId: run, workflowId } = workflowInfo();
  const blame = { run, workflowId, chain: { pipeline, profile, branch }, test, commits };
  await keepBlame(blame).catch((error: unknown) => log.warn('the blame is not in the store', { error }));
}

/** Runs one try. The test never comes from the cache, or a repeat would be no try. */
async function tried(
  workflowId: string,
  { file, profile, engine, by, probe }: ReleaseInput & BisectInput,
): Promise<TryEnd> {
  const { test } = probe!;
  const run: ReleaseInput = {
    ...{ file, profile, probe: probe!, onFailure: 'fail', noCache: [`tests/${entryOf(test)}`] },
    ...(engine !== undefined && { engine }),
    ...(by !== undefined && { by }),
  };
  try {
    const child = await startChild<(input: ReleaseInput) => Promise<RunOutcome>>(PIPELINE_WORKFLOW, {
      workflowId,
      args: [run],
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      staticSummary: `${test} at ${probe!.commit.slice(0, 12)}`,
    });
    return tryOf((await child.result()).status, test);
  } catch (error) {
    if (!(error instanceof ChildWorkflowFailure) || CancellationScope.current().consideredCancelled) throw error;
    return tryOf(statusOf(error.cause), test);
  }
}

/** A failed run has its status in the details of its failure. A run that failed before it had one tells problems there. */
function statusOf(cause: unknown): Pick<RunStatus, 'steps' | 'problems' | 'verdict'> {
  const told = cause instanceof ApplicationFailure ? (cause.details?.[0] as Partial<RunStatus> | undefined) : undefined;
  const reasons = [cause instanceof Error ? cause.message : 'the run ended'];
  return {
    steps: told?.steps ?? [],
    problems: told?.problems ?? [],
    verdict: told?.verdict ?? { verdict: 'failed', reasons },
  };
}
