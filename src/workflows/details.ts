import { waitSentences, waitsIn } from '../engine/outages/sentences.js';
import { counted } from '../model/counted.js';
import { KINDS } from '../model/kinds.js';
import type { Problem } from '../model/failure.js';
import { firstErrorText, shownLines } from '../model/first-error.js';
import { STEP_STATES, type RunStatus, type StepStatus } from '../model/messages.js';
import { nextCommands, nextOfFailed, onRun, withRun, type NextFacts } from '../model/run-next.js';
import { STAGE_IDS } from '../model/stages.js';
import { untoldReasons } from '../model/untold-reasons.js';
import { drawn, inCode, type Block, type Section } from './page.js';

/** Most blocks of a section that are drawn. More would not fit. */
const BLOCKS_DRAWN = 10;
const RUNNING_TOLD = 4;
/** Lines of output of all failed steps together. */
const OUTPUT_LINES = 15;
/** A workflow knows no release file. */
const NO_FILE: NextFacts = { again: null, moved: false };

/** Returns the run for Temporal's page and command line, as Markdown of at most MOST_BYTES: the verdict or state, what waits for an
 * operator, what waits for workers and services, the progress, and the next action. */
export function details(status: RunStatus): string {
  const { name, version, state, verdict, plan, engine, steps } = status;
  const rules = engine === undefined ? '' : `, rules ${engine}`;
  const head = `**${verdict?.verdict ?? state}**: ${inCode(`${name} ${version}`.trim())}${plan ? `, plan ${inCode(plan.slice(7, 19))}` : ''}${rules}`;
  const [held, failed] = (['held', 'failed'] as const).map((which) => steps.filter((step) => step.state === which));
  const lines = Math.floor(OUTPUT_LINES / (held!.length + failed!.length));
  return drawn(head, [
    section('Reasons', 300, [
      ...untoldReasons(status).map((reason) => [reason]),
      ...status.problems.map((problem) => block(problem)),
    ]),
    section(`Held: ${counted(held!.length, 'step')}`, 700, held!, (step) => failure(step, status, lines)),
    section(`Failed: ${counted(failed!.length, 'step')}`, 400, failed!, (step) => failure(step, status, lines)),
    section(
      'Gates',
      500,
      steps.filter(({ gate }) => gate !== undefined),
      (step) => gate(step, status),
    ),
    section('Waits', 300, waits(status)),
    section('Not taken', 250, notTaken(status)),
    section('Progress', 450, progress(steps)),
    section('Next', 450, [nextActions(status)]),
    section('Signals', 330, signals(status)),
  ]);
}

/** @param least bytes that earlier sections leave for this one */
function section<T>(title: string, least: number, rows: readonly T[], draw?: (row: T) => Block): Section {
  const told = rows.slice(0, BLOCKS_DRAWN);
  return { title, least, count: rows.length, blocks: draw ? told.map(draw) : (told as readonly unknown[] as Block[]) };
}

const block = ({ code, message, next }: Problem, before = ''): Block => [`${before}${code} ${message}`, `  ${next}`];

/** @param most lines of output that are shown besides the first error */
function failure(step: StepStatus, status: RunStatus, most: number): Block {
  const { id, state, problems } = step;
  const first = problems?.[0];
  if (first === undefined) return [`${id}  no reason known`];
  const repeats = first.message.startsWith(`${id} `);
  return [
    `${id}  ${first.code} ${repeats ? first.message.slice(id.length + 1) : first.message}`,
    ...output(first, most).map((line) => `  | ${line}`),
    `  ${nextOfFailed(first, [step], status, NO_FILE).next}`,
    ...(state === 'held' ? [`  slipway retry ${id} ${onRun(status)}`] : []),
  ];
}

/** Returns the first error and the last lines, or one line where there is room for few. */
function output(problem: Problem, most: number): readonly string[] {
  if (most > 2) return shownLines(problem, most);
  const line = firstErrorText(problem) ?? problem.evidence?.at(-1);
  return line === undefined ? [] : [line];
}

function gate({ id, gate: waiting, because = '' }: StepStatus, status: RunStatus): Block {
  const { manifest, approvers, next } = waiting!;
  return [
    `${id}  ${because}`,
    `  manifest ${manifest}`,
    `  ${withRun(next, onRun(status))}`,
    ...(approvers.length > 0 ? [`  may approve: ${approvers.join('; ')}`] : []),
  ];
}

/** Lists waits without durations: the clock of a workflow stops at its last event. */
const waits = (status: RunStatus): readonly Block[] => [
  ...(status.paused === undefined ? [] : [[`paused: ${status.paused}`]]),
  ...waitsIn(status)
    .map((wait) => waitSentences(wait, null))
    .map(([fact, ...more]) => [fact, ...more.map((line) => `  ${line}`)]),
  ...(status.waits === undefined ? [] : [[status.waits]]),
];

/** Refused actions, whose senders get no answer, and notifications that nobody got. */
const notTaken = ({ refused = [], failedNotifications = [] }: RunStatus): readonly Block[] => [
  ...refused.map((problem) => block(problem, 'refused: ')),
  ...failedNotifications.map((problem) => block(problem, 'not told: ')),
];

/** Counts steps by stage and state, in one pass. There may be thousands. */
function progress(steps: readonly StepStatus[]): readonly Block[] {
  const counts = new Map<string, number>();
  const add = (key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { stage, state } of steps) [`${stage}`, `${stage}/${state}`].forEach(add);
  const rows = STAGE_IDS.filter((stage) => counts.has(stage)).map((stage) => {
    const told = STEP_STATES.filter((state) => counts.has(`${stage}/${state}`));
    return `${stage.padEnd(8)} ${told.map((state) => `${counts.get(`${stage}/${state}`)} ${state === 'cached' ? 'reused' : state}`).join(', ')}`;
  });
  const running = steps.filter(({ state }) => state === 'running');
  const now = running.slice(0, RUNNING_TOLD).map(({ id, kind }) => `  ${id}  ${kind ? KINDS[kind].doing : ''}`);
  const more = running.length > RUNNING_TOLD ? [`  … and ${running.length - RUNNING_TOLD} more`] : [];
  return [...rows.map((row) => [row]), ...(now.length > 0 ? [['now:', ...now, ...more]] : [])].slice(-BLOCKS_DRAWN);
}

/** The commands that the command line names. */
function nextActions(status: RunStatus): Block {
  const { state, verdict, steps, paused } = status;
  const commands = nextCommands(status, NO_FILE);
  if (verdict)
    return verdict.verdict === 'failed' || verdict.verdict === 'cancelled'
      ? [...commands, 'fix the cause, then slipway run FILE: finished steps are reused']
      : ['nothing: the run has ended'];
  if (paused !== undefined || steps.some((step) => step.state === 'held' || step.gate !== undefined)) return commands;
  return [state === 'waiting' ? 'see above' : 'nothing: the run goes on by itself', ...commands];
}

/** Signals that Temporal's page can send. */
function signals({ verdict, steps }: RunStatus): readonly Block[] {
  if (verdict) return [];
  const held = steps.find((step) => step.state === 'held')?.id;
  const shut = steps.find((step) => step.gate !== undefined)?.gate;
  return [
    ...(held === undefined ? [] : [[`signal retry {"step": "${held}"}`]]),
    ...(shut?.signed === 'optional' ? [[`signal approve {"gate": "${shut.name}", "manifest": "${shut.manifest}", "by": "…"}`]] : []), // prettier-ignore
  ];
}
