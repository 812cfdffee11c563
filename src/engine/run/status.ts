import type { GateRules } from '../../model/gate.js';
import type { StepStatus } from '../../model/messages.js';
import type { Dropped, SkeletonStep } from '../../model/plan.js';
import type { UnservedQueues } from '../outages/unserved-queues.js';
import type { StepProgress } from './step-progress.js';
import { gateStatus, whyShut, type GateState } from '../gates/gate-rules.js';

/** Returns the status of all steps in the plan's order, then of dropped variants. */
export const statusOf = (
  steps: readonly SkeletonStep[],
  cells: readonly StepProgress[],
  dropped: readonly Dropped[],
  absence: UnservedQueues,
  nowMs: number,
): readonly StepStatus[] => [
  ...steps.map((step, index) => {
    const status = stepStatus(step, cells[index]!, nowMs);
    return absence.holds(index)
      ? { ...status, state: 'waiting' as const, because: `nobody serves ${step.on}` }
      : status;
  }),
  ...dropped.map(droppedStatus),
];

type Told = { -readonly [Key in keyof StepStatus]: StepStatus[Key] };

/** Copies each field by hand, because a spread is slow for ten thousand steps every second. */
function stepStatus({ id, kind, stage, gate }: SkeletonStep, cell: StepProgress, nowMs: number): StepStatus {
  const told: Told = { id, kind, stage, state: cell.state, attempt: cell.attempt };
  if (cell.lost !== undefined) {
    told.lost = cell.lost;
    told.attempt += cell.lost.length;
  }
  if (cell.startedAtMs !== undefined) told.startedAt = cell.startedAtMs;
  if (cell.againAtMs !== undefined) told.againAt = cell.againAtMs;
  if (cell.heldAtMs !== undefined) told.heldAt = cell.heldAtMs;
  if (cell.ms !== undefined) told.ms = cell.ms;
  if (cell.because !== undefined) told.because = cell.because;
  if (cell.note !== undefined) told.note = cell.note;
  if (cell.problems !== undefined) told.problems = cell.problems;
  if (cell.tolerated) told.tolerated = true;
  if (cell.flaky) told.flaky = true;
  if (gate === undefined || cell.gate === undefined || cell.state !== 'at gate') return told;
  return { ...told, ...shut(gate, cell.gate, nowMs) };
}

function shut(rules: GateRules, gate: GateState, nowMs: number): Pick<StepStatus, 'because' | 'gate'> {
  const status = gateStatus(rules, gate, nowMs);
  return { because: whyShut(status), gate: status };
}

const droppedStatus = ({ id, because }: Dropped): StepStatus => ({
  id,
  kind: null,
  stage: null,
  state: 'dropped',
  attempt: 0,
  because,
});
