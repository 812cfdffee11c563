import type { RunStatus, StepStatus } from '../../model/messages.js';

/** One thing that changed between two looks at a run. */
export interface Change {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly step: string | null;
  readonly state: string;
  readonly attempt?: number;
  readonly ms?: number;
  readonly note?: string;
  readonly code?: string;
  readonly message?: string;
}

/** What is new in `after`, steps in their order, the run's own state last. `before` null: everything that has begun. */
export function changes(before: RunStatus | null, after: RunStatus, now: number): readonly Change[] {
  const at = new Date(now).toISOString();
  const old = new Map(before?.steps.map((step) => [step.id, step]));
  const steps = after.steps
    .filter((step) => isNews(old.get(step.id), step))
    .map((step): Change => ({ at, step: step.id, ...told(step) }));
  const state = after.verdict?.verdict ?? after.state;
  const same = before !== null && (before.verdict?.verdict ?? before.state) === state;
  return same ? steps : [...steps, { at, step: null, state, ...reasons(after) }];
}

function isNews(before: StepStatus | undefined, after: StepStatus): boolean {
  if (before === undefined) return after.state !== 'waiting' && after.state !== 'dropped';
  return before.state !== after.state || before.attempt !== after.attempt;
}

function told(step: StepStatus): Omit<Change, 'at' | 'step'> {
  const problem = step.state === 'failed' || step.state === 'backing off' ? step.problems?.[0] : undefined;
  const note = step.note ?? step.because;
  return {
    state: step.state,
    ...(step.attempt > 1 ? { attempt: step.attempt } : {}),
    ...(step.ms === undefined ? {} : { ms: step.ms }),
    ...(note === undefined ? {} : { note }),
    ...(problem === undefined ? {} : { code: problem.code, message: problem.message }),
  };
}

const reasons = ({ verdict }: RunStatus): { note?: string } =>
  verdict && verdict.reasons.length > 0 ? { note: verdict.reasons.join('; ') } : {};
