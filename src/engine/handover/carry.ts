import type { Digest } from '../../model/digest.js';
import type { SharedCells } from './group-cells.js';
import type { CarriedCells } from './carried-cell.js';
import type { PolicyStates } from '../run/policies.js';

/** What a run's scheduler knows besides cells and policies: plain data. Times are milliseconds since 1970. */
export interface RunRecord {
  /** Number of the last input applied. */
  lastApplied: number;
  /** Why nothing more is started, where somebody paused the run. */
  paused: string | null;
  /** Why the run is cancelled. */
  cancelled: string | null;
  /** Last round of the run. */
  round: number;
  /** What the clock said last. */
  clockMs: number;
  /** Rules that it decides by; see versions.ts. */
  engine: number;
  /** Digest of the manifest that the run sealed last; null before. */
  sealed: Digest | null;
  /** When the run began to carry out steps. */
  readonly beganMs: number;
}

export const newRun = (beganMs: number, engine: number): RunRecord => ({
  ...{ engine, lastApplied: 0, paused: null, cancelled: null, sealed: null, round: 1, clockMs: beganMs, beganMs },
});

/** All that a scheduler knows, or what it learnt since it last told, as plain JSON. */
export interface SchedulerSnapshot {
  readonly run: RunRecord;
  readonly nowMs: number;
  readonly policies: PolicyStates;
  /** Steps that are other than at the beginning, or than they were. */
  readonly cells: readonly CarriedCells[];
  /** Of a whole state: what many cells have in common, where they are many. */
  readonly alike?: readonly SharedCells[];
  /** Of a whole state: what each step that remains adds to the longest path behind it, in their order; a `column`. */
  readonly weights?: string;
  /** Instead, in histories of before: its longest remaining path. */
  readonly paths?: readonly number[];
}
