import type { Verdict } from '../../model/messages.js';
import type { Skeleton, SkeletonStep } from '../../model/plan.js';
import { seen, type StepProgress } from './step-progress.js';

/** Limit of listed reasons; the rest are counted. All reasons of a large plan would exceed the server's payload limit. */
const REASONS_TOLD = 20;

interface Around extends Pick<Skeleton, 'rehearsal' | 'pipeline'> {
  readonly cancelled: string | null;
  /** Variants that the plan dropped before the run began. */
  readonly dropped: Skeleton['dropped'];
  readonly assumed?: Skeleton['assumed'];
  readonly nothingNew?: Skeleton['nothingNew'];
  readonly nothingToDo?: Skeleton['nothingToDo'];
  readonly failedBefore?: Skeleton['failedBefore'];
}

/** Returns the verdict of a run whose steps have all ended. Steps that finished before a cancel stay finished. */
export function verdictOf(
  steps: readonly SkeletonStep[],
  cells: readonly StepProgress[],
  { rehearsal, pipeline, cancelled, dropped, assumed = [], nothingNew, nothingToDo, failedBefore = [] }: Around,
): Verdict {
  if (nothingNew !== undefined && steps.length === 0)
    return { verdict: 'done', reasons: [`nothing new: ${nothingNew} was done with the same plan`] };
  const before = firstOf(failedBefore, 'failed before');
  const asDone = firstOf(
    assumed.map(({ id, because }) => `${id} was assumed done: ${because}`),
    'were assumed done',
  );
  if (nothingToDo !== undefined && steps.length === 0)
    return {
      verdict: before.length > 0 ? 'failed' : 'done',
      reasons: [`nothing new: ${nothingToDo}`, ...before, ...asDone],
    };
  const complete = cells.every((cell) => seen(cell) !== 'stopped');
  const told = [...remarks(steps, cells), ...asDone];
  const left = [...leftOut(steps, cells), ...told];
  const failures = [...failureReasons(steps, cells), ...before, ...stopped(steps, cells), ...told];
  const nothing = pipeline ? null : nothingPublished(steps, cells, dropped);
  if (complete && nothing !== null) return { verdict: 'failed', reasons: [nothing, ...left] };
  if (complete && before.length > 0) return { verdict: 'failed', reasons: [...before, ...left] };
  if (complete) return { verdict: pipeline ? 'done' : rehearsal ? 'rehearsed' : 'released', reasons: left };
  if (cancelled !== null) return { verdict: 'cancelled', reasons: [cancelled, ...failures] };
  return { verdict: 'failed', reasons: failures };
}

/** Fails a release that published nothing, even if an operator skipped publishing. Null if it published, or has nothing
 * to publish. */
function nothingPublished(
  steps: readonly SkeletonStep[],
  cells: readonly StepProgress[],
  dropped: Skeleton['dropped'],
): string | null {
  const publishing = cells.filter((_, index) => steps[index]!.kind === 'publishArtifacts');
  const gone = dropped.filter(({ id }) => id.startsWith('publish/'));
  if (publishing.length + gone.length === 0 || publishing.some((cell) => seen(cell) === 'succeeded')) return null;
  return `nothing was published: ${whyNot(publishing.length, gone.length)}`;
}

const whyNot = (left: number, dropped: number): string => {
  const parts = [
    ...(left > 0 ? [`${left === 1 ? 'its one publish step was' : `all ${left} publish steps were`} left out`] : []),
    ...(dropped > 0 ? [`${dropped === 1 ? 'one was' : `${dropped} were`} dropped before the run began`] : []),
  ];
  return `${parts.join(', and ')}; a release that publishes nothing is none`;
};

function failureReasons(steps: readonly SkeletonStep[], cells: readonly StepProgress[]): readonly string[] {
  const failed = cells.flatMap((cell, index) => (cell.state === 'failed' ? [{ cell, id: steps[index]!.id }] : []));
  const told = failed.map(({ cell, id }) => {
    const first = cell.problems?.[0];
    if (!first) return id;
    return first.message.includes(id) ? first.message : `${id}: ${first.message}`;
  });
  const conflict = failed.some(({ cell }) => cell.failures.includes('conflict'));
  return [...(conflict ? ['needs reconciliation'] : []), ...firstOf(told, 'failed')];
}

/** Lists the steps that were stopped because a sibling failed. */
const stopped = (steps: readonly SkeletonStep[], cells: readonly StepProgress[]): readonly string[] =>
  firstOf(
    cells.flatMap(({ state, because, stoppedBy }, index) =>
      state === 'cancelled' && stoppedBy !== undefined ? [`${steps[index]!.id} was stopped: ${because ?? ''}`] : [],
    ),
    'were stopped',
  );

/** Lists the steps that an operator skipped, with the steps that were skipped because of them. */
const leftOut = (steps: readonly SkeletonStep[], cells: readonly StepProgress[]): readonly string[] =>
  firstOf(
    cells.flatMap(({ state, because, tolerated }, index) =>
      state === 'skipped' && !tolerated ? [`${steps[index]!.id} was left out: ${because ?? ''}`] : [],
    ),
    'were left out',
  );

/** Lists the tolerated failures, builds that were known to fail and did not, and the steps that passed only after a failure of the
 * product. */
const remarks = (steps: readonly SkeletonStep[], cells: readonly StepProgress[]): readonly string[] => [
  ...firstOf(
    cells.flatMap(({ tolerated, because }, index) =>
      tolerated ? [`${steps[index]!.id} failed, which is tolerated: ${because ?? ''}`] : [],
    ),
    'failed, which is tolerated',
  ),
  ...firstOf(
    steps.flatMap(({ id, stage, tolerate }, index) =>
      stage !== 'tests' && tolerate !== undefined && seen(cells[index]!) === 'succeeded'
        ? [`${id} passed, although ${tolerate}`]
        : [],
    ),
    'passed, although their failure is tolerated',
  ),
  ...firstOf(
    cells.flatMap(({ flaky, attempt }, index) =>
      flaky ? [`${steps[index]!.id} is flaky: it passed at attempt ${attempt}`] : [],
    ),
    'are flaky',
  ),
];

function firstOf(all: readonly string[], did: string): readonly string[] {
  const more = all.length - REASONS_TOLD;
  return more > 0 ? [...all.slice(0, REASONS_TOLD), `${more} more steps ${did}`] : all;
}
