import type { StandingsNews } from '../../engine/standings/news.js';
import { GOOD_VERDICTS, type RunStatus } from '../../model/messages.js';
import type { Finding } from '../../model/finding.js';
import type { Report } from '../../model/report.js';
import type { NextFacts } from '../../model/run-next.js';
import { untoldReasons } from '../../model/untold-reasons.js';
import { counted } from '../../model/counted.js';
import { duration } from '../render/duration.js';
import type { LongestPath } from '../render/longest.js';
import { pathText } from '../render/outlook.js';
import { first, plain, section, type Colours } from '../render/paint.js';
import { STAGE_WIDTH, stagesOf } from '../render/stages.js';
import type { TestAttempt } from '../tests/test-attempts.js';
import { failedLines, lostLines, skippedLines } from './failures.js';
import { honestyLines } from './honesty.js';
import { nextLines, withFile } from './next.js';
import { plannedLines, foundAfterLines } from './notices.js';
import { publishedLines } from './published.js';
import { standingsLines } from './standings.js';
import { attemptLines } from './test-attempts.js';

/** Contents of the last screen of a run. `report` and `path` are null if the run ended before its report. */
export interface RunEnding {
  readonly status: RunStatus;
  readonly report: Report | null;
  readonly path: LongestPath | null;
  /** Findings of planning about lists and other files. */
  readonly notices: readonly Finding[];
  /** Findings about what followed the verdict. */
  readonly findingsAfter: readonly Finding[];
  /** Null if the file has no `standings`, or the run ended before that step. */
  readonly standings: StandingsNews | null;
  /** Attempts of its cluster tests. */
  readonly attempts: readonly TestAttempt[];
  /** Page of this run in the Temporal UI; null where its server is not up. */
  readonly page: string | null;
  /** The release file, as one would type it here; null where this machine does not know it. */
  readonly file: string | null;
  readonly next: NextFacts;
  /** The release file imports a list of wheels. */
  readonly hasWheelList?: boolean;
  /** Some entry says `cache: false`. */
  readonly hasUncached?: boolean;
}

/** Rows of a list that others follow on the screen. */
const TOLD_ROWS = 24;

/** Returns the last screen of a run: verdict, published files, durations and next commands.
 * @param more lines of features */
export function endingLines(ending: RunEnding, paint: Colours, more: readonly string[] = []): string[] {
  const { status, report, path } = ending;
  return [
    ...verdictLines(ending, paint),
    ...failedLines(status, ending.next, paint),
    ...skippedLines(status, paint),
    ...lostLines(status, paint),
    ...attemptLines(ending.attempts, paint),
    ...plannedLines(ending.notices, paint),
    ...standingsLines(ending.standings, paint),
    ...(report ? [...publishedLines(report, paint), ...honestyLines(report, paint, TOLD_ROWS)] : []),
    ...(more.length > 0 ? ['', ...more.map(plain)] : []),
    ...stageLines(status, paint),
    ...pathLines(path, paint),
    ...findingLines(report, paint),
    ...foundAfterLines(ending.findingsAfter, paint),
    ...runLines(ending, paint),
    ...lastLines(ending, paint),
  ];
}

function verdictLines({ status, report }: RunEnding, paint: Colours): string[] {
  const verdict = status.verdict?.verdict ?? status.state;
  const { green } = paint;
  const colour = { released: green, rehearsed: green, done: green, failed: paint.red, cancelled: paint.yellow };
  const painted = verdict in colour ? colour[verdict as keyof typeof colour](verdict) : verdict;
  const time = duration((status.endedAt ?? status.startedAt) - status.startedAt);
  return [
    '',
    `${paint.bold(painted)}  ${plain(`${status.name} ${status.version}`.trim())}  in ${time}${stepCount(status)}`,
    ...untoldReasons(status).map((reason) => `  ${plain(reason)}`),
    ...(verdict === 'rehearsed' ? meaning(report) : []),
  ];
}

function stepCount({ steps }: RunStatus): string {
  const all = steps.filter(({ state }) => state !== 'dropped');
  const reused = all.filter(({ state }) => state === 'cached').length;
  if (all.length === 0) return '';
  return `, ${counted(all.length, 'step')}${reused > 0 ? `, ${reused} reused` : ''}`;
}

const meaning = (report: Report | null): string[] => [
  `  Every step was real. ${whereTo(report)}`,
  '  A live run needs a profile: copy config/profiles/live.yaml to profiles/live.yaml beside the release file, write your',
  '  targets and the names of their credentials ($NAME) into it. The worker needs a policy: `slipway policy init FILE` drafts',
  '  one to review. Then type `slipway run FILE --profile live`.',
];

/** No more than what was checked. */
function whereTo(report: Report | null): string {
  const { targets, hosts } = report?.rehearsed ?? { targets: 0, hosts: [] };
  if (report === null || (report.published.length > 0 && targets === 0))
    return 'Where its targets are was not recorded.';
  if (targets === 0) return 'It published nothing.';
  return `${counted(targets, 'target')}, ${targets > 1 ? 'all ' : ''}on ${hosts.join(' and ')}, checked on the worker.`;
}

function stageLines(status: RunStatus, paint: Colours): readonly string[] {
  const stages = stagesOf(status, status.endedAt ?? status.startedAt);
  const rows = stages.map(({ stage, steps, counts, ms }) => {
    const reused = counts.cached > 0 ? `, ${counts.cached} reused` : '';
    return `  ${stage.padEnd(STAGE_WIDTH)} ${(ms === null ? '-' : duration(ms)).padStart(12)}  ${counted(steps.length, 'step')}${reused}`;
  });
  return section(paint.bold('Time per stage'), rows);
}

/** Shortest duration that is listed, in milliseconds. */
const TOLD_MS = 100;

function pathLines(path: LongestPath | null, paint: Colours): string[] {
  if (!path || path.steps.length === 0) return [];
  const steps = path.steps.filter(({ ms }) => ms >= TOLD_MS);
  if (path.ms < TOLD_MS) return [];
  const longest = new Set(steps.toSorted((a, b) => b.ms - a.ms).slice(0, TOLD_ROWS));
  const rows = steps.filter((step) => longest.has(step)).map(pathRow);
  const shorter = steps.length - longest.size;
  const text = pathText(path);
  return [
    ...['', paint.bold(`${text[0]!.toUpperCase()}${text.slice(1)}`), ...rows],
    ...(shorter > 0 ? [`  and ${shorter} shorter ones: slipway status --json`] : []),
    ...nextLongest(path),
  ];
}

const pathRow = ({ id, ms }: LongestPath['steps'][number]): string => `  ${duration(ms).padStart(12)}  ${plain(id)}`;

/** Returns the line about the next longest path. */
const nextLongest = ({ next }: LongestPath): string[] =>
  next === null
    ? []
    : [`  ${duration(next.slackMs).padStart(12)}  to spare for ${plain(next.id)}, the longest step beside it`];

function findingLines(report: Report | null, paint: Colours): readonly string[] {
  const findings = (report?.findings ?? []).filter(({ level }) => level !== 'note');
  const line = ({ code, subject, why }: Finding): string => `  ${plain(`${code}  ${subject}: ${why}`)}`;
  const lines = first(findings, TOLD_ROWS, (shown) => shown.map(line), 'slipway status --json');
  return section(paint.bold('Findings, kept in the manifest'), lines);
}

const runLines = ({ status, page, report }: RunEnding, paint: Colours): string[] => [
  '',
  paint.bold('Run'),
  `  ${status.workflowId}  ${status.run}`,
  ...(report?.manifest ? [`  manifest ${report.manifest}`] : []),
  ...(page ? [`  ${page}`] : []),
];

function lastLines(ending: RunEnding, paint: Colours): readonly string[] {
  const { status, report, file, hasWheelList = false, hasUncached = false } = ending;
  if (!GOOD_VERDICTS.includes(status.verdict?.verdict)) return nextLines(status, ending.next, paint);
  const next = [
    ...(status.steps.length > 0 ? artifactLines(report) : []),
    ...(hasWheelList ? [withFile('slipway cache status', file)] : []),
    'slipway status --json',
    `${ending.next.again}   # again: ${hasWheelList ? 'only what is new is built' : 'everything is reused'}${hasUncached ? ', but entries with `cache: false` run' : ''}`,
  ];
  return section(
    paint.bold('Next'),
    next.map((line) => `  ${plain(line)}`),
  );
}

/** Lines about artifacts. A report without a published file names none to copy. */
function artifactLines(report: Report | null): readonly string[] {
  const name = fileIn(report);
  return ['slipway artifacts', ...(name === undefined ? [] : [`slipway artifacts get ${name} -o out`])];
}

/** A published file that the store holds; an image has a tag in its name and lives in a registry. */
const fileIn = (report: Report | null): string | undefined =>
  report?.published
    .find(({ name }) => !name.includes(':'))
    ?.name.split('/')
    .at(-1);
