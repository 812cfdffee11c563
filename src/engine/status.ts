import type { StepStatus } from '../model/messages.js';
import type { Dropped, SkeletonStep } from '../model/plan.js';
import type { Absence } from './absence.js';
import type { Cell } from './cell.js';

/** The steps as people see them: in the plan's order, what was left out last. */
export const statusOf = (
  steps: readonly SkeletonStep[],
  cells: readonly Cell[],
  dropped: readonly Dropped[],
  absence: Absence,
): readonly StepStatus[] => [
  ...steps.map((step, index) => {
    const status = stepStatus(step, cells[index]!);
    return absence.holds(index)
      ? { ...status, state: 'waiting' as const, because: `nobody serves ${step.on}` }
      : status;
  }),
  ...dropped.map(droppedStatus),
];

const stepStatus = ({ id, kind, stage }: SkeletonStep, cell: Cell): StepStatus => ({
  id,
  kind,
  stage,
  state: cell.state,
  attempt: cell.attempt,
  ...(cell.startedAtMs === undefined ? {} : { startedAt: cell.startedAtMs }),
  ...(cell.heldAtMs === undefined ? {} : { heldAt: cell.heldAtMs }),
  ...(cell.ms === undefined ? {} : { ms: cell.ms }),
  ...(cell.because === undefined ? {} : { because: cell.because }),
  ...(cell.note === undefined ? {} : { note: cell.note }),
  ...(cell.problems === undefined ? {} : { problems: cell.problems }),
});

const droppedStatus = ({ id, because }: Dropped): StepStatus => ({
  id,
  kind: null,
  stage: null,
  state: 'dropped',
  attempt: 0,
  because,
});
