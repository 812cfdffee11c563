import type { Digest } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';
import type { StepProgress } from '../run/step-progress.js';
import type { PolicyStates } from '../run/policies.js';
import { outputOf, truncateProblems } from './failure-output.js';

/** The scheduler's own state of a run, besides steps and policies. Plain data. Times are milliseconds since 1970. */
export interface RunRecord {
  lastApplied: number;
  paused: string | null;
  cancelled: string | null;
  round: number;
  /** Wall-clock time of the last input. */
  clockMs: number;
  /** Version of the scheduler's rules: engine-versions.ts. */
  engine: number;
  /** Digest of the run's last sealed manifest. Null before the seal. */
  sealed: Digest | null;
  /** Time of the first input. */
  readonly beganMs: number;
}

export const newRun = (beganMs: number, engine: number): RunRecord => ({
  ...{ engine, lastApplied: 0, paused: null, cancelled: null, sealed: null, round: 1, clockMs: beganMs, beganMs },
});

/** Progress of a step, by its number. Open edges are recounted on resume. */
export type StepRow = readonly [step: number, progress: Omit<StepProgress, 'open'>];

/** The scheduler's state as plain JSON. A scheduler made from it and the skeleton decides the same. */
export interface SchedulerSnapshot {
  readonly run: RunRecord;
  readonly nowMs: number;
  readonly policies: PolicyStates;
  /** Steps that differ from their initial state. */
  readonly steps: readonly StepRow[];
}

/** Limit of output characters in all failures of a snapshot. The server refuses payloads over 1.5 MB. */
const MOST_OUTPUT = 400_000;

/** Truncates the output of failed steps to equal shares if the total exceeds the limit. */
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
