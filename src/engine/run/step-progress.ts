import type { FailureClass, Problem } from '../../model/failure.js';
import type { StepState } from '../../model/messages.js';
import type { Service } from '../../model/outage.js';
import type { EdgeOutcome } from './edges.js';
import type { GateState } from '../gates/gate-rules.js';

/** The progress of one step, as the scheduler knows it. */
export interface StepProgress {
  state: StepState;
  /** Number of edges that still block it. */
  open: number;
  /** Attempts started so far. */
  attempt: number;
  /** Classes of its failed attempts, oldest first. */
  readonly failures: FailureClass[];
  /** When its last edge opened. */
  readyAtMs?: number;
  /** How often workers with other tools refused it. These are not failures of the step. */
  refusals?: number;
  /** Attempts that ended because the runner of their worker died. These are not failures of the step either. */
  runnersLost?: number;
  startedAtMs?: number;
  /** When its last attempt began. */
  attemptAtMs?: number;
  /** Services that its failures showed it to need. */
  learned?: readonly Service[];
  /** Since when it waits for a service that does not answer. It is not queued meanwhile. */
  awaitsMs?: number;
  /** It is queued although it waits for a service: it may probe it. */
  lined?: true;
  /** Services that failed for it and have answered another step since. */
  alone?: readonly Service[];
  /** When it is retried. */
  againAtMs?: number;
  /** Since when it waits for an action. */
  heldAtMs?: number;
  /** State of a gate that was reached. */
  gate?: GateState;
  /** Why a person stops the attempt that runs. */
  stopping?: string;
  ms?: number;
  note?: string;
  because?: string;
  problems?: readonly Problem[];
  /** The cache lookup did not find it. */
  looked?: true;
  /** The last step that it uses and that ran anew in this run. A cached result is then unlikely. */
  anew?: number;
  /** Round of the run in which it last began anew; absent in the first. */
  round?: number;
  /** Its attempt is being stopped so that it can run again. */
  rerun?: true;
  /** Its queue had no worker in time. Its attempt is being taken back. */
  gaveUp?: true;
  /** Number of the step whose failure or cancellation caused the skip. */
  blame?: number;
  /** Number of the step that a person left out and that caused the skip. */
  leftOutWith?: number;
}

export const newProgress = (open: number): StepProgress => ({ state: 'waiting', open, attempt: 0, failures: [] });

const AT_FIRST = Object.keys(newProgress(0)).length;
/** Returns whether the step has never been ready and no action was about it. */
export const isUntouched = (cell: StepProgress): boolean =>
  cell.state === 'waiting' && cell.attempt === 0 && cell.failures.length === 0 && Object.keys(cell).length === AT_FIRST;

/** Fields that survive a rerun. Approvals count on if the manifest digest is unchanged. */
const STAYS: readonly (keyof StepProgress)[] = ['state', 'open', 'attempt', 'failures', 'gate', 'round', 'learned'];

/** Resets the progress of a waiting step, as if it had not begun. */
export function renew(cell: StepProgress): void {
  for (const key of Object.keys(cell) as (keyof StepProgress)[]) if (!STAYS.includes(key)) delete cell[key];
  cell.open = Number.MAX_SAFE_INTEGER; // counted once all that begins anew is known
  cell.failures.length = 0;
  if (cell.gate) cell.gate = { ...cell.gate, passed: false };
}

/** Returns whether a person left out this very step, not one that it needs. */
export const wasLeftOut = ({ state, blame, leftOutWith }: StepProgress): boolean =>
  state === 'skipped' && blame === undefined && leftOutWith === undefined;

export const isOpen = ({ state }: StepProgress): boolean =>
  state === 'waiting' || state === 'running' || state === 'backing off' || state === 'held' || state === 'at gate';

/** Returns whether the step is running, or no edge blocks it. */
export const isReady = (cell: StepProgress): boolean =>
  isOpen(cell) && cell.state !== 'held' && cell.state !== 'at gate' && cell.open === 0;

export const seen = (cell: StepProgress): EdgeOutcome => {
  if (cell.state === 'done' || cell.state === 'cached') return 'succeeded';
  return cell.state === 'dropped' || (cell.state === 'skipped' && cell.blame === undefined) ? 'left out' : 'stopped';
};
