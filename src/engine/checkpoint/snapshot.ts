import type { Digest } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';
import type { StepProgress } from '../run/step-progress.js';
import type { PolicyStates } from '../run/policies.js';
import { outputOf, truncateProblems } from './failure-output.js';

/** The scheduler's own state of a run, besides steps and policies. Plain data. Times are milliseconds since 1970. */
export interface RunRecord {
  /** Number of the last input applied. */
  lastApplied: number;
  /** Why nothing more is started. Null if the run is not paused. */
  paused: string | null;
  /** Why the run is cancelled. Null if it is not. */
  cancelled: string | null;
  /** Last round of the run. */
  round: number;
  /** Clock of the last input. */
  clockMs: number;
  /** Number of the rules that the scheduler decides by: engine-versions.ts. */
  engine: number;
  /** Digest of the manifest that the run sealed last. Null before. */
  sealed: Digest | null;
  /** When the run began to execute steps. */
  readonly beganMs: number;
}

export const newRun = (beganMs: number, engine: number): RunRecord => ({
  ...{ engine, lastApplied: 0, paused: null, cancelled: null, sealed: null, round: 1, clockMs: beganMs, beganMs },
});

/** Progress of a step, by its number. Open edges are counted anew. */
export type StepRow = readonly [step: number, progress: Omit<StepProgress, 'open'>];

/** All that a scheduler knows, as plain JSON. A scheduler made from it and the skeleton decides like the first. */
export interface SchedulerSnapshot {
  readonly run: RunRecord;
  readonly nowMs: number;
  readonly policies: PolicyStates;
  /** Steps that are other than at the beginning. */
  readonly steps: readonly StepRow[];
}

/** Characters of output that all failures of a snapshot keep together. The server refuses payloads over 1.5 MB. */
const MOST_OUTPUT = 400_000;

/** Cuts the output of failed steps to an equal share each, if it is too much together. */
export function withinBounds(rows: readonly StepRow[], most = MOST_OUTPUT): readonly StepRow[] {
  const failures = rows.flatMap(([, { problems }]) => (problems === undefined ? [] : [problems]));
  if (failures.reduce((sum, problems) => sum + outputOf(problems), 0) <= most) return rows;
  const share = Math.floor(most / failures.length);
  const cut = (problems: readonly Problem[]): readonly Problem[] =>
    outputOf(problems) > share ? truncateProblems(problems, share) : problems;
  return rows.map(([step, { problems, ...progress }]) => [
    step,
    { ...progress, ...(problems !== undefined && { problems: cut(problems) }) },
  ]);
}
