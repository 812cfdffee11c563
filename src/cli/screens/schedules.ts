import { counted } from '../../model/counted.js';
import type { Schedule, ScheduledRun } from '../../model/schedule.js';
import { type Colours, plain, table } from '../render/paint.js';

const NEXT_SHOWN = 3;
const LAST_SHOWN = 5;

/** A screen of schedules, one after the other. */
export const scheduleLines = (schedules: readonly Schedule[], paint: Colours): readonly string[] =>
  schedules.length === 0
    ? ['No pipeline has a schedule. `slipway schedule FILE --every 15m` makes one.']
    : schedules.flatMap((one, at) => [...(at === 0 ? [] : ['']), ...linesOf(one, paint)]);

function linesOf(schedule: Schedule, paint: Colours): readonly string[] {
  const { pipeline, rhythm, file, profile, by, last } = schedule;
  const head = [rhythm, file ?? 'no release file', profile && `profile ${profile}`, by && `by ${by}`];
  return [
    `${paint.bold(plain(pipeline))}  ${plain(head.filter((part) => part).join('  '))}`,
    ...options(schedule),
    `  ${whenNext(schedule)}`,
    ...table(last.slice(0, LAST_SHOWN).map((run, at) => [at === 0 ? '  last' : '      ', ...cells(run)])),
    ...leftOut(schedule),
  ];
}

/** One line for the status of a run. */
export const scheduleLine = (schedule: Schedule): string =>
  `Schedule ${plain(schedule.rhythm)}; ${whenNext(schedule)}; \`slipway schedule list ${plain(schedule.pipeline)}\` shows its last runs`;

function options({ given }: Schedule): readonly string[] {
  return Object.keys(given).length === 0
    ? []
    : [`  with ${plain(JSON.stringify({ ...given, ...given.tests, tests: undefined }))}`];
}

/** Returns the next starts, or who paused the schedule and why. */
function whenNext({ paused, note, next }: Schedule): string {
  if (paused) return `paused: ${plain(note ?? 'without a reason')}`;
  return next.length === 0 ? 'no next start' : `next  ${next.slice(0, NEXT_SHOWN).map(minute).join(', ')} UTC`;
}

function leftOut({ skipped, missed }: Schedule): readonly string[] {
  return [
    ...(skipped > 0 ? [`  ${counted(skipped, 'start')} skipped because a run was open`] : []),
    ...(missed > 0 ? [`  ${counted(missed, 'start')} missed while the server was down`] : []),
  ];
}

const cells = ({ at, verdict, workflowId }: ScheduledRun): readonly string[] => [
  minute(at),
  verdict,
  plain(workflowId),
];

/** `2026-11-22 03:45`, in UTC. */
const minute = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
