import { cacheLines, targetCounts, type CacheLine } from '../../engine/index/cache-table.js';
import type { CacheWheel } from '../../engine/index/cache-wheels.js';
import { counted } from '../../model/counted.js';
import type { Finding } from '../../model/finding.js';
import { CACHE_STATES, type CacheState } from '../../model/index-refresh.js';
import type { VerdictName } from '../../model/messages.js';
import type { AnswerTimes } from '../cache/answer-times.js';
import { duration } from '../render/duration.js';
import { first, plain, section, table, type Colours } from '../render/paint.js';
import { noticeLines } from './notices.js';

export interface CacheStatus {
  readonly name: string;
  readonly workflowId: string;
  readonly state: string;
  readonly verdict?: VerdictName;
  readonly asked: AnswerTimes | null;
  readonly wheels: readonly CacheWheel[];
  readonly notices: readonly Finding[];
  /** Release file, as it was typed. */
  readonly file: string;
  readonly nowMs: number;
}

/** Lines of a section before the rest is counted. */
const SHOWN = 20;
const ALL = 'slipway cache status --json';

/** A table of targets, then the wheels that need a look, each with the next command. */
export function cacheStatusLines(told: CacheStatus, paint: Colours): readonly string[] {
  const { wheels, file } = told;
  const example = wheels.find(({ state }) => state === 'failed' || state === 'to build') ?? wheels[0];
  return [
    `${paint.bold(plain(told.name))}  ${plain(told.workflowId)} ${told.verdict ?? told.state}  ${askedText(told)}`,
    ...countRows(wheels),
    ...section(paint.bold('To build'), wheelRows(cacheLines(wheels, 'to build'))),
    ...section(paint.bold('Failed'), wheelRows(cacheLines(wheels, 'failed'))),
    ...failedNext(wheels),
    ...section(paint.bold('Known'), wheelRows(cacheLines(wheels, 'known'))),
    ...section(paint.bold('Unanswered'), wheelRows(cacheLines(wheels, 'unanswered'))),
    ...section(paint.bold('Impossible'), wheelRows(cacheLines(wheels, 'impossible'))),
    ...foundLines(told.notices, paint),
    ...(example === undefined ? [] : ['', `why one wheel is what it is: slipway why ${plain(example.wheel)} ${file}`]),
  ];
}

function askedText({ asked, nowMs }: CacheStatus): string {
  if (asked === null) return 'when upstream was asked is not known';
  const { projects, newest, oldest } = asked;
  const ago = (at: string): string => duration(nowMs - Date.parse(at));
  const older = newest === oldest ? '' : `, the oldest answer ${ago(oldest)} ago`;
  return `upstream asked ${ago(newest)} ago about ${counted(projects, 'project')}${older}`;
}

/** Columns that stay away while they are empty. */
const RARE: readonly CacheState[] = ['impossible'];

function countRows(wheels: readonly CacheWheel[]): readonly string[] {
  const targets = targetCounts(wheels);
  const columns = CACHE_STATES.filter(
    (state) => !RARE.includes(state) || targets.some(({ counts }) => counts[state] > 0),
  );
  const cells = [
    ['target', 'wanted', ...columns],
    ...targets.map(({ target, wanted, counts }) => [
      plain(target),
      String(wanted),
      ...columns.map((state) => String(counts[state])),
    ]),
  ];
  const widths = cells[0]!.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)));
  return cells.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  '),
  );
}

function wheelRows(lines: readonly CacheLine[]): readonly string[] {
  const row = (line: CacheLine): readonly string[] => [
    `  ${plain(line.wheel)}`,
    targetsText(line),
    plain(line.because),
  ];
  return first(lines, SHOWN, (shown) => table(shown.map(row)), ALL);
}

const targetsText = ({ targets }: CacheLine): string =>
  targets.length <= 2 ? plain(targets.join(', ')) : counted(targets.length, 'target');

/** Next commands about a failed build: its log, then the place of its recipe. */
function failedNext(wheels: readonly CacheWheel[]): readonly string[] {
  const failed = wheels.filter(({ state }) => state === 'failed');
  const step = failed.find((one) => one.step !== undefined)?.step;
  if (failed.length === 0) return [];
  return [
    ...(step === undefined ? [] : [`  slipway logs ${plain(step)}`]),
    '  then what its build lacks under `with` of the list, or the wheel under `known` with a reason',
  ];
}

function foundLines(notices: readonly Finding[], paint: Colours): readonly string[] {
  const told = notices.filter(({ level }) => level !== 'note');
  const unlisted = told.filter(({ code }) => code === 'BRANCH_UNLISTED').map(({ subject }) => plain(subject));
  const others = told.filter(({ code }) => code !== 'BRANCH_UNLISTED');
  return [
    ...(unlisted.length === 0
      ? []
      : ['', `${paint.bold('Unlisted')}  ${unlisted.join(', ')}: on the server, and in no row and not in \`ignore\``]),
    ...section(paint.bold('Found'), first(others, SHOWN, noticeLines, ALL)),
  ];
}
