import type { Forecast } from '../../engine/forecast/forecast.js';
import { waitsFor } from '../../engine/outages/sentences.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import { counted } from '../../model/counted.js';
import { duration } from './duration.js';
import { plain } from './paint.js';

/** `critical path 4 min 12 s (9 steps) · 61 % of the time is waiting`. */
export const pathText = ({
  ms,
  steps,
  recoverable,
}: {
  readonly ms: number;
  readonly steps: readonly unknown[];
  readonly recoverable: number;
}): string =>
  `critical path ${duration(ms)} (${counted(steps.length, 'step')}) · ${Math.round(100 * recoverable)} % of the time is waiting`;

/** `about 2 min 10 s to go, nine times in ten at most 3 min 05 s`; where nobody knows when a step ends: at least, or unknown. */
export function toGo({ endAtMs, likelyByMs, unknown, overdue, people, waits }: Forecast, nowMs: number): string {
  if (waits !== null) return `unknown: ${waitsFor(waits, nowMs)}`;
  const leftMs = Math.max(0, endAtMs - nowMs);
  const answered = people > 0 ? `, once ${counted(people, 'action')} ${people === 1 ? 'is' : 'are'} sent` : '';
  if (unknown === 0 && overdue === null)
    return `about ${duration(leftMs)} to go${likely(likelyByMs - nowMs, leftMs)}${answered}`;
  const never = unknown === 0 ? 'longer than usual' : `${counted(unknown, 'step')} never measured`;
  const why = overdue === null ? never : `${plain(overdue.id)} has run for ${duration(overdue.ms)}, ${never}`;
  // In a first release no step has a known duration.
  return leftMs < TELLING_MS
    ? `nobody knows how long yet, ${why}`
    : `at least ${duration(leftMs)} to go (${why})${answered}`;
}
const TELLING_MS = 1000;

/** Nothing where it says no more than "about". */
const likely = (atMostMs: number, leftMs: number): string =>
  atMostMs - leftMs < Math.max(TELLING_MS, leftMs / 20) ? '' : `, nine times in ten at most ${duration(atMostMs)}`;

/** Whether it matters that a step tries again: `this retry is off the critical path, by 45.0 s`. */
export function retryText({ id, state }: StepStatus, forecast: Forecast | null): string | null {
  const slack = state === 'backing off' ? forecast?.slackMs.get(id) : undefined;
  if (slack === undefined) return null;
  return slack > 0
    ? `this retry is off the critical path, by ${duration(slack)}`
    : 'this retry is on the critical path';
}

/** The same as plain data. */
export interface Outlook extends Pick<Forecast, 'unknown' | 'overdue' | 'people' | 'waits' | 'path'> {
  readonly endAt: number;
  readonly likelyBy: number;
  readonly slackMs: Readonly<Record<string, number>>;
}
export const outlookOf = ({ endAtMs, likelyByMs, slackMs, ...rest }: Forecast): Outlook => ({
  endAt: endAtMs,
  likelyBy: likelyByMs,
  ...rest,
  slackMs: Object.fromEntries(slackMs),
});

/** Returns whether a forecast makes sense: the plan is known, and the run is neither being cancelled nor over. */
export const goesOn = ({ state }: RunStatus): boolean =>
  state !== 'planning' && state !== 'cancelling' && state !== 'ended';
