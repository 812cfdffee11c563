import type { Forecast } from '../../engine/forecast/forecast.js';
import { outageStory, waitSentences, waitsIn, type Wait } from '../../engine/outages/sentences.js';
import { firstErrorText } from '../../model/first-error.js';
import { lostSentence } from '../../model/lost-worker.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import { isOpenOutage } from '../../model/outage.js';
import { retryText } from './outlook.js';

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
  /** The first error in the step's output, in one line. */
  readonly firstError?: string;
}

/** Returns the changes from `before` to `after`: steps in plan order, then queues and services, then the state of the run.
 * @param before null for the first look: all steps that have begun are returned, ordered by their own times
 * @param now milliseconds since 1970 */
export function changes(
  before: RunStatus | null,
  after: RunStatus,
  now: number,
  forecast: Forecast | null = null,
): readonly Change[] {
  const old = new Map(before?.steps.map((step) => [step.id, step]));
  const steps = after.steps
    .filter((step) => isNews(old.get(step.id), step))
    .map((step): Change => ({
      at: iso(before ? now : since(step, after, now)),
      step: step.id,
      ...told(step, forecast),
    }));
  if (!before) steps.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const at = iso(before ? now : (after.endedAt ?? now));
  const state = stateOf(after);
  const waits = waitChanges(before, after, at, now);
  const same = before !== null && stateOf(before) === state && before.waits === after.waits;
  return [...steps, ...waits, ...(same ? [] : [{ at, step: null, state, ...reasons(after) }])];
}

/** A wait is reported for each queue by name, so the state `waiting` of the run is no change of its own. */
const stateOf = ({ verdict, state }: RunStatus): string =>
  verdict?.verdict ?? (state === 'waiting' ? 'running' : state);

/** Waits for workers and services that began or are over. */
function waitChanges(before: RunStatus | null, after: RunStatus, at: string, now: number): readonly Change[] {
  const has = (status: RunStatus | null, wait: Wait): boolean =>
    status !== null && waitsIn(status).some((one) => keyOf(one) === keyOf(wait));
  const over = (before === null ? [] : waitsIn(before)).filter((wait) => !has(after, wait));
  const back = (wait: Wait): readonly string[] => {
    if ('queue' in wait) return after.state === 'ended' ? [] : [`nothing waits for the queue ${wait.queue} any more`];
    return (after.outages ?? []).filter((one) => !isOpenOutage(one) && keyOf(one) === keyOf(wait)).map(outageStory);
  };
  return [
    ...waitsIn(after)
      .filter((wait) => !has(before, wait))
      .map((wait) => waitChange(wait, now, at)),
    ...over.flatMap(back).map((note) => ({ at, step: null, state: 'running', note })),
  ];
}

/** Queues keep their name, and a service may be down again. */
const keyOf = (wait: Wait): string => ('queue' in wait ? wait.queue : `${wait.service} ${wait.since}`);

const waitChange = (wait: Wait, now: number, at = iso(now)): Change => ({
  ...{ at, step: null, state: 'waiting' },
  note: waitSentences(wait, now).join('; '),
});

/** Returns again the waits that came to last 1, 2, 4, 8 … minutes between two looks. Times are milliseconds since 1970. */
export const longWaits = (status: RunStatus, fromMs: number, now: number): readonly Change[] =>
  waitsIn(status)
    .filter(({ since }) => doublings(now - since) > doublings(fromMs - since))
    .map((wait) => waitChange(wait, now));

const doublings = (ms: number): number => Math.max(0, Math.floor(Math.log2(Math.max(1, ms) / 60_000)) + 1);

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

function told(step: StepStatus, forecast: Forecast | null): Omit<Change, 'at' | 'step'> {
  const problem =
    step.tolerated || ['failed', 'held', 'backing off'].includes(step.state) ? step.problems?.[0] : undefined;
  const firstError = firstErrorText(problem ?? {});
  const lost = (step.lost ?? []).map(lostSentence);
  const note = [step.note ?? step.because, ...lost, retryText(step, forecast)].filter(Boolean).join('; ');
  return {
    state: step.state,
    ...(step.attempt > 1 ? { attempt: step.attempt } : {}),
    ...(step.ms === undefined ? {} : { ms: step.ms }),
    ...(note === '' ? {} : { note }),
    ...(problem === undefined ? {} : { code: problem.code, message: problem.message }),
    ...(firstError === null ? {} : { firstError }),
  };
}

function reasons({ verdict, waits }: RunStatus): { note?: string } {
  const all = [...(verdict?.reasons ?? []), ...(waits === undefined ? [] : [waits])];
  return all.length > 0 ? { note: all.join('; ') } : {};
}
