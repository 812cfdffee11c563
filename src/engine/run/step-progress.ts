import type { FailureClass, Problem } from '../../model/failure.js';
import type { StepState } from '../../model/messages.js';
import type { Service } from '../../model/outage.js';
import type { EdgeOutcome } from './edges.js';
import type { GateState } from '../gates/gate-rules.js';

/** What the scheduler knows of one step. */
export interface StepProgress {
  state: StepState;
  /** Edges that do not let it go on yet. */
  open: number;
  /** Attempts started so far. */
  attempt: number;
  /** Classes of its failed attempts, oldest first. */
  readonly failures: FailureClass[];
  /** Since when no edge holds it back. */
  readyAtMs?: number;
  /** Workers with other tools that refused it so far: no failures of its own. */
  refusals?: number;
  /** Attempts that ended with the runner of their worker: no failures of its own either. */
  runnersLost?: number;
  startedAtMs?: number;
  /** When its last attempt began. */
  attemptAtMs?: number;
  /** Services that it turned out to need. */
  learned?: readonly Service[];
  /** Since when it waits for a service that does not answer, and stands in no line. */
  awaitsMs?: number;
  /** Stands in line all the same. */
  lined?: true;
  /** Services for which it failed, and which have answered another step since. */
  alone?: readonly Service[];
  /** Time to try again. */
  againAtMs?: number;
  /** Since when it waits for a word. */
  heldAtMs?: number;
  /** Of a gate that was reached. */
  gate?: GateState;
  /** Why a person stops the attempt that runs. */
  stopping?: string;
  ms?: number;
  note?: string;
  because?: string;
  problems?: readonly Problem[];
  /** Looked up, and not known. */
  looked?: true;
  /** The last step that it uses and that was made anew in this run: what it makes of that is hardly known. */
  anew?: number;
  /** Round of the run in which it last began anew; absent in the first. */
  round?: number;
  /** Its attempt is being stopped so that it can run again. */
  rerun?: true;
  /** Nobody came to serve its queue in time: its attempt is being taken back. */
  gaveUp?: true;
  /** Of a skipped step: number of the step whose failure or cancellation is behind it. */
  blame?: number;
  /** Of a skipped step: number of the step that a person left out, and this one with it. */
  leftOutWith?: number;
}

export const newProgress = (open: number): StepProgress => ({ state: 'waiting', open, attempt: 0, failures: [] });

const AT_FIRST = Object.keys(newProgress(0)).length;
/** Has not come to its turn, and nothing was said about it. */
export const isUntouched = (cell: StepProgress): boolean =>
  cell.state === 'waiting' && cell.attempt === 0 && cell.failures.length === 0 && Object.keys(cell).length === AT_FIRST;

/** What stays of a cell that begins anew: people's yeses count on where the same bytes come out. */
const STAYS: readonly (keyof StepProgress)[] = ['state', 'open', 'attempt', 'failures', 'gate', 'round', 'learned'];

/** As if it had not begun; it waits already. */
export function renew(cell: StepProgress): void {
  for (const key of Object.keys(cell) as (keyof StepProgress)[]) if (!STAYS.includes(key)) delete cell[key];
  cell.open = Number.MAX_SAFE_INTEGER; // counted once all that begins anew is known
  cell.failures.length = 0;
  if (cell.gate) cell.gate = { ...cell.gate, passed: false };
}

/** By a person, and not with another step. */
export const wasLeftOut = ({ state, blame, leftOutWith }: StepProgress): boolean =>
  state === 'skipped' && blame === undefined && leftOutWith === undefined;

export const isOpen = ({ state }: StepProgress): boolean =>
  state === 'waiting' || state === 'running' || state === 'backing off' || state === 'held' || state === 'at gate';

/** Under way, or held back by no edge. */
export const isReady = (cell: StepProgress): boolean =>
  isOpen(cell) && cell.state !== 'held' && cell.state !== 'at gate' && cell.open === 0;

export const seen = (cell: StepProgress): EdgeOutcome => {
  if (cell.state === 'done' || cell.state === 'cached') return 'succeeded';
  return cell.state === 'dropped' || (cell.state === 'skipped' && cell.blame === undefined) ? 'left out' : 'stopped';
};
