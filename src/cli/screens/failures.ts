import type { Problem } from '../../model/failure.js';
import { firstErrorText, shownLines } from '../../model/first-error.js';
import { entryOf } from '../../model/ids.js';
import { lostSentence } from '../../model/lost-worker.js';
import type { RunStatus, StepStatus } from '../../model/messages.js';
import { grouped } from '../../model/grouped.js';
import { nextOfFailed, onRun, withRun, type NextFacts } from '../../model/run-next.js';
import { duration } from '../render/duration.js';
import { first, plain, section, type Colours } from '../render/paint.js';

/** Last lines of output shown of each failed step. */
const TAIL = 12;
/** Failed steps that are shown in full. Others often have the same cause. */
const FAILED = 20;
/** Skipped steps named before the rest is counted. */
const NAMED = 10;

/** Each failed step: first error, last lines, what to do; then the run's own problems. */
export function failedLines(status: RunStatus, facts: NextFacts, paint: Colours): string[] {
  const failed = status.steps.filter((step) => step.state === 'failed' || step.state === 'held');
  const more = failed.length - FAILED;
  const own = status.problems.filter(
    (problem) => !failed.some((step) => step.problems?.some((other) => same(other, problem))),
  );
  return [
    ...[...grouped(failed.slice(0, FAILED), causeOf).values()].flatMap((steps) => [
      '',
      ...(steps.length > 1 ? [paint.bold(`${steps.length} steps failed with one cause:`)] : []),
      ...steps.map((step) => stepTitle(step, paint)),
      ...problemsLines(steps[0].problems?.map((problem) => nextOfFailed(problem, steps, status, facts)) ?? [], paint),
    ]),
    ...(more > 0 ? ['', `… and ${more} more failed steps: slipway status --json`] : []),
    ...own.flatMap((problem) => ['', ...problemLines(problem, paint)]),
    ...(status.refused ?? []).flatMap((problem) => [
      '',
      paint.bold('An action was refused'),
      ...problemLines(problem, paint),
    ]),
    ...(status.failedNotifications ?? []).flatMap((problem) => [
      '',
      paint.bold('Somebody was not told'),
      ...problemLines(problem, paint),
    ]),
  ];
}

/** Returns the lines about steps that wait before their next try: cause, code and what to do, once for each cause. */
export function againLines(status: RunStatus, paint: Colours): readonly string[] {
  const again = status.steps.filter(({ state, problems = [] }) => state === 'backing off' && problems.length > 0);
  return [...grouped(again.slice(0, FAILED), causeOf).values()].flatMap((steps) => [
    '',
    ...steps.map(({ id }) => `${paint.bold(plain(id))} tries again`),
    ...problemsLines(
      steps[0].problems!.map((one) => ({ ...one, next: withRun(one.next, onRun(status), steps[0].id) })),
      paint,
    ),
  ]);
}

const same = (a: Problem, b: Problem): boolean => a.code === b.code && a.message === b.message;

/** Python, time that passed, and address in memory: variants of an entry differ in them. */
const OF_VARIANTS = /\bcp3\d+\b|\b[Pp]ython ?3\.\d+\b|\b\d+\.\d+ ?s\b|\b0x[0-9a-f]+\b/g;

/** Returns a key that variants of an entry share if they failed with the same codes and cause. */
function causeOf({ id, state, problems }: StepStatus): string {
  const bare = (text: string): string => text.replaceAll(id, '').replaceAll(OF_VARIANTS, '');
  const told = problems?.map((problem) => {
    const line = firstErrorText(problem) ?? problem.evidence?.at(-1) ?? '';
    return [problem.code, problem.class, bare(problem.message), bare(line)];
  });
  return JSON.stringify([entryOf(id), state, told ?? id]);
}

/** Returns the lines of several problems. Neighbours with the same next step share one line for it. */
const problemsLines = (problems: readonly Problem[], paint: Colours): readonly string[] =>
  problems.flatMap((problem, at) => {
    const lines = problemLines(problem, paint);
    return problem.next === problems[at + 1]?.next ? lines.slice(0, -1) : lines;
  });

function stepTitle(step: StepStatus, paint: Colours): string {
  const time = step.ms === undefined ? '' : ` after ${duration(step.ms)}`;
  const attempts = step.attempt > 1 ? `, attempt ${step.attempt}` : '';
  return `${paint.red('✗')} ${paint.bold(plain(step.id))} ${step.state === 'held' ? 'failed and is held' : 'failed'}${time}${attempts}`;
}

export function problemLines(problem: Problem, paint: Colours): string[] {
  const { place } = problem;
  const where = place
    ? `${place.file}${place.line ? `:${place.line}` : ''}${place.column ? `:${place.column}` : ''} `
    : '';
  return [
    `  ${plain(where)}${paint.red(problem.code)} ${paint.dim(`(${problem.class})`)} ${plain(problem.message)}`,
    ...shownLines(problem, TAIL).map((line) => `  ${paint.dim('|')} ${plain(line)}`),
    `  ${paint.cyan('next:')} ${plain(problem.next)}`,
  ];
}

/** Returns the lines about steps whose worker was lost, and which another worker began again. */
export function lostLines({ steps }: RunStatus, paint: Colours): readonly string[] {
  const lost = steps.filter((step) => step.lost !== undefined);
  const why = ({ id, attempt, lost: workers = [] }: StepStatus): string =>
    `attempt ${attempt}: ${workers.map(lostSentence).join(', ')}; slipway logs ${id} --attempt 1`;
  return section(paint.bold('Begun again'), named(lost, why, paint));
}

const named = (steps: readonly StepStatus[], why: (step: StepStatus) => string, paint: Colours): readonly string[] => {
  const line = (step: StepStatus): string => `  ${plain(step.id)}  ${paint.dim(plain(why(step)))}`;
  return first(steps, NAMED, (shown) => shown.map(line), 'slipway status --json');
};

/** Returns the lines about steps that did not run or did not end, with the cause. */
export function skippedLines(status: RunStatus, paint: Colours): readonly string[] {
  const skipped = status.steps.filter(
    (step) => (step.state === 'skipped' && !step.tolerated) || step.state === 'cancelled',
  );
  const hasStopped = skipped.some(({ startedAt }) => startedAt !== undefined);
  const title = paint.bold(hasStopped ? 'Did not run, or was stopped' : 'Did not run');
  return section(
    title,
    named(skipped, ({ because, state }) => because ?? state, paint),
  );
}
