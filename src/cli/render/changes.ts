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

/** What is new in `after`, steps in their order, the run's own state last. `before` null: everything that has begun, in
 * the order and with the times of when it was so, since it may be long ago. */
export function changes(before: RunStatus | null, after: RunStatus, now: number): readonly Change[] {
  const old = new Map(before?.steps.map((step) => [step.id, step]));
  const steps = after.steps
    .filter((step) => isNews(old.get(step.id), step))
    .map((step): Change => ({ at: iso(before ? now : since(step, after, now)), step: step.id, ...told(step) }));
  if (!before) steps.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const at = iso(before ? now : (after.endedAt ?? now));
  const state = after.verdict?.verdict ?? after.state;
  const same = before !== null && (before.verdict?.verdict ?? before.state) === state && before.waits === after.waits;
  return same ? steps : [...steps, { at, step: null, state, ...reasons(after) }];
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Milliseconds since 1970 at which the step came into the state that it is in. */
function since({ startedAt, ms }: StepStatus, { endedAt }: RunStatus, now: number): number {
  return startedAt === undefined ? (endedAt ?? now) : startedAt + (ms ?? 0);
}

function isNews(before: StepStatus | undefined, after: StepStatus): boolean {
  if (before === undefined) return after.state !== 'waiting' && after.state !== 'dropped';
  const waits = after.state === 'running' && before.because !== after.because;
  return before.state !== after.state || before.attempt !== after.attempt || waits;
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

function reasons({ verdict, waits }: RunStatus): { note?: string } {
  const all = [...(verdict?.reasons ?? []), ...(waits === undefined ? [] : [waits])];
  return all.length > 0 ? { note: all.join('; ') } : {};
}
