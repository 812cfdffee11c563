import type { FailureClass, Problem } from '../../model/failure.js';
import type { LostWorker } from '../../model/lost-worker.js';
import type { StepState } from '../../model/messages.js';
import type { Service } from '../../model/outage.js';
import type { EdgeOutcome } from './edges.js';
import type { GateState } from '../gates/gate-rules.js';

export interface StepProgress {
  state: StepState;
  open: number;
  attempt: number;
  /** Workers that were lost during its attempts. */
  lost?: readonly LostWorker[];
  /** Classes of its failed attempts, oldest first. */
  readonly failures: FailureClass[];
  /** Time at which its last edge opened. */
  readyAtMs?: number;
  /** Number of refusals by workers with other tools. They are no failures of the step. */
  refusals?: number;
  /** Number of attempts that ended because their worker's runner died. They are no failures of the step. */
  runnersLost?: number;
  startedAtMs?: number;
  attemptAtMs?: number;
  /** Services that its failures named. */
  learned?: readonly Service[];
  /** Start of its wait for a service that is down. It is not queued meanwhile. */
  awaitsMs?: number;
  /** True if it is queued to probe a service. */
  lined?: true;
  /** Services that failed for it and have answered another step since. */
  alone?: readonly Service[];
  againAtMs?: number;
  /** Since when it waits for an action. */
  heldAtMs?: number;
  gate?: GateState;
  /** Why an operator stops the running attempt. */
  stopping?: string;
  ms?: number;
  note?: string;
  because?: string;
  problems?: readonly Problem[];
  /** True after a cache miss. */
  looked?: true;
  /** The last of its inputs that was executed in this run. A cache hit is then unlikely. */
  anew?: number;
  /** Round of its last rerun. Absent in the first. */
  round?: number;
  /** True while its attempt is stopped for a rerun. */
  rerun?: true;
  /** True while its attempt is cancelled, because its queue had no worker in time. */
  gaveUp?: true;
  /** Since when it has failed, if people are told of the failure. */
  failedAtMs?: number;
  /** It failed, and its failure is tolerated. */
  tolerated?: true;
  /** It succeeded after a failure of the product. */
  flaky?: true;
  /** Number of the step whose failure or cancellation caused the skip. */
  blame?: number;
  /** Number of the failed sibling because of which this step must end. */
  stoppedBy?: number;
  /** Number of the skipped step that caused the skip. */
  leftOutWith?: number;
}

export const newProgress = (open: number): StepProgress => ({ state: 'waiting', open, attempt: 0, failures: [] });

const AT_FIRST = Object.keys(newProgress(0)).length;
/** Returns whether the step has never been ready and no action was about it. */
export const isUntouched = (cell: StepProgress): boolean =>
  cell.state === 'waiting' && cell.attempt === 0 && cell.failures.length === 0 && Object.keys(cell).length === AT_FIRST;

/** Fields that survive a rerun. Approvals count on if the manifest digest is unchanged. */
const STAYS: readonly (keyof StepProgress)[] = [
  ...(['state', 'open', 'attempt', 'lost', 'failures', 'gate', 'round', 'learned'] as const),
];

/** Resets the progress of a waiting step, as if it had not begun. */
export function renew(cell: StepProgress): void {
  for (const key of Object.keys(cell) as (keyof StepProgress)[]) if (!STAYS.includes(key)) delete cell[key];
  cell.open = Number.MAX_SAFE_INTEGER; // recounted after all steps of the rerun are known
  cell.failures.length = 0;
  if (cell.gate) cell.gate = { ...cell.gate, passed: false };
}

/** Whether an operator skipped this very step, not one of its needs. A tolerated failure is no skip of an operator. */
export const wasLeftOut = ({ state, blame, leftOutWith, tolerated }: StepProgress): boolean =>
  state === 'skipped' && blame === undefined && leftOutWith === undefined && tolerated !== true;

export const isOpen = ({ state }: Pick<StepProgress, 'state'>): boolean =>
  state === 'waiting' || state === 'running' || state === 'backing off' || state === 'held' || state === 'at gate';

/** Whether the step is running, or no edge blocks it. */
export const isReady = (cell: StepProgress): boolean =>
  isOpen(cell) && cell.state !== 'held' && cell.state !== 'at gate' && cell.open === 0;

export const seen = (cell: StepProgress): EdgeOutcome => {
  if (cell.state === 'done' || cell.state === 'cached') return 'succeeded';
  return cell.state === 'dropped' || (cell.state === 'skipped' && cell.blame === undefined) ? 'left out' : 'stopped';
};
