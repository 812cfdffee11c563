import type { Forecast } from '../../engine/forecast/forecast.js';
import { isOpen } from '../../engine/run/step-progress.js';
import { waitSentences, waitsIn } from '../../engine/outages/sentences.js';
import { doingOf } from '../../model/kinds.js';
import { firstErrorText } from '../../model/first-error.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import { counted } from '../../model/counted.js';
import { duration } from './duration.js';
import { pathText, retryText, toGo } from './outlook.js';
import { clip, plain, type Colours } from './paint.js';
import { progress, STAGE_WIDTH, stagesOf, type StageView } from './stages.js';

export interface Frame {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
  readonly paint: Colours;
  /** Null where nothing is known of what lies ahead. */
  readonly forecast?: Forecast | null;
}

/** The live tree: a header, one line per stage, and below open stages the steps that move or failed.
 * Never higher than the terminal, so that it can be drawn over itself. */
export function liveLines(status: RunStatus, frame: Frame): string[] {
  const stages = stagesOf(status, frame.now);
  const own = status.waits === undefined ? [] : [frame.paint.yellow(`! waits: ${plain(status.waits)}`)];
  const halts = haltsOf(status, frame.now).flatMap((said) => {
    const [fact, ...more] = said.map(plain);
    const next = more.pop();
    return [
      frame.paint.yellow(`! ${fact}`),
      ...more.map((line) => `  ${line}`),
      `  ${frame.paint.cyan('next:')} ${next}`,
    ];
  });
  const waiting = [...own, ...halts];
  const ahead = outlookLines(frame);
  const free = Math.max(4, frame.rows - 3 - ahead.length - stages.length - waiting.length);
  const open = stages.filter((stage) => shown(stage).length > 0).length;
  const each = Math.max(1, Math.floor(free / Math.max(1, open)) - 1);
  const lines = [
    header(status, frame),
    ...ahead,
    ...waiting,
    ...stages.flatMap((stage) => stageLines(stage, each, frame)),
  ];
  return lines.slice(0, Math.max(4, frame.rows - 1)).map((line) => clip(line, frame.columns));
}

/** Returns the reasons why a run does not go on, each with the next command last: its pause, and what steps wait for. */
const haltsOf = (status: RunStatus, now: number): readonly (readonly string[])[] => [
  ...(status.paused === undefined ? [] : [[`paused: ${status.paused}`, 'slipway resume']]),
  ...waitsIn(status).map((wait) => waitSentences(wait, now)),
];

function header(status: RunStatus, { now, paint }: Frame): string {
  const { ended, total } = progress(status);
  const kind = status.pipeline ? 'pipeline' : status.rehearsal ? 'rehearsal' : 'release';
  const done = total === 0 ? '' : `${ended} of ${total} steps  `;
  const time = duration((status.endedAt ?? now) - status.startedAt);
  return `${paint.bold(plain(`${status.name} ${status.version}`))}  ${kind}  ${status.verdict?.verdict ?? status.state}  ${done}${time}`;
}

function outlookLines({ forecast = null, now, paint }: Frame): string[] {
  if (forecast === null) return [];
  return [paint.dim(`${toGo(forecast, now)}  ${pathText(forecast.path)}`)];
}

function stageLines(stage: StageView, most: number, frame: Frame): string[] {
  const steps = shown(stage);
  const rest = steps.length - most;
  const visible = rest > 0 ? fitted(steps, most) : steps;
  return [
    stageLine(stage, frame.paint),
    ...visible.map((step) => `    ${stepLine(step, frame)}`),
    ...(rest > 0 ? [frame.paint.dim(`    … ${rest} more`)] : []),
  ];
}

/** Picks the rows that fit. At most half of them are failures as long as other steps run. */
function fitted(steps: readonly StepStatus[], most: number): readonly StepStatus[] {
  const bad = ({ state }: StepStatus): boolean => state === 'failed' || state === 'held';
  const failed = steps.filter(bad);
  const moving = steps.filter((step) => !bad(step));
  const failures = failed.slice(0, Math.max(Math.ceil(most / 2), most - moving.length));
  return [...failures, ...moving.slice(0, most - failures.length)];
}

const shown = (stage: StageView): readonly StepStatus[] =>
  [...stage.steps].filter(({ state }) => state in RANK).sort((a, b) => RANK[a.state]! - RANK[b.state]!);
/** Failures first: they must not scroll away. */
const RANK: Partial<Record<StepStatus['state'], number>> = {
  failed: 0,
  held: 0,
  'at gate': 1,
  'backing off': 1,
  running: 2,
};

function stageLine(stage: StageView, paint: Colours): string {
  const { counts, steps } = stage;
  const ended = steps.filter((step) => !isOpen(step)).length;
  const reused = counts.cached > 0 ? `, ${counts.cached} reused` : '';
  const lost = counts.skipped + counts.cancelled > 0 ? `, ${counts.skipped + counts.cancelled} skipped` : '';
  const bad = `${counts.failed > 0 ? `, ${counts.failed} failed` : ''}${counts.held > 0 ? `, ${counts.held} held` : ''}`;
  const text = stage.ended ? counted(steps.length, 'step') : `${ended} of ${counted(steps.length, 'step')}`;
  const time = stage.ms === null ? '' : `  ${duration(stage.ms)}`;
  return `${mark(stage, paint)} ${plain(stage.stage).padEnd(STAGE_WIDTH)} ${text}${reused}${bad}${lost}${time}`;
}

function mark({ ended, counts, ms }: StageView, paint: Colours): string {
  if (counts.failed + counts.held > 0) return paint.red('✗');
  if (ended)
    return counts.done + counts.cached > 0 && counts.skipped + counts.cancelled === 0
      ? paint.green('✓')
      : paint.dim('-');
  return ms === null ? paint.dim('○') : paint.cyan('●');
}

/** The first error comes last: it is often longer than the line. */
function failedLine({ id, state, problems }: StepStatus, paint: Colours): string {
  const problem = problems?.[0];
  const why = problem ? `${problem.code}: ${problem.message}` : state;
  const firstError = firstErrorText(problem ?? {});
  return paint.red(
    `✗ ${plain(id)}  ${plain(why)}${state === 'held' ? '  (held: retry or skip)' : ''}${firstError === null ? '' : `  ${plain(firstError)}`}`,
  );
}

/** One step: what it is doing and for how long, or why it failed. */
function stepLine(step: StepStatus, { now, paint, forecast = null }: Frame): string {
  const id = plain(step.id);
  const problem = step.problems?.[0];
  if (step.state === 'failed' || step.state === 'held') return failedLine(step, paint);
  if (step.state === 'at gate')
    return paint.yellow(`‖ ${id}  ${plain(step.because ?? '')}  (${step.gate?.next ?? ''})`);
  const attempt = step.attempt > 1 ? `, attempt ${step.attempt}` : '';
  if (step.state === 'backing off')
    return paint.yellow(
      `↻ ${id}  tries again${attempt}: ${plain(problem?.message ?? step.because ?? '')}${bracketed(retryText(step, forecast))}`,
    );
  const time = step.startedAt === undefined ? '' : `  ${duration(now - step.startedAt)}`;
  const of = step.queue === undefined ? '' : ` of ${plain(step.queue)}`;
  if (step.queued) return paint.yellow(`› ${id}  waits for a free slot${of}${time}`);
  if (step.because !== undefined) return paint.yellow(`› ${id}  waits: ${plain(step.because)}${time}`);
  return `${paint.cyan('›')} ${id}  ${paint.dim(`${plain(doingOf(step.kind))}${attempt}`)}${time}`;
}

const bracketed = (text: string | null): string => (text === null ? '' : `  (${text})`);
