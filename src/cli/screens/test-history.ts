import { spanOf } from '../../engine/standings/consequences.js';
import { isUnproven } from '../../engine/standings/letters.js';
import { blocks, sinceOf } from '../../engine/standings/news.js';
import { counted } from '../../model/counted.js';
import { quoted } from '../../model/quoted.js';
import type { Standing, Standings } from '../../model/tests/standing.js';
import { duration } from '../render/duration.js';
import { first, plain, section, table, type Colours } from '../render/paint.js';
import type { TestNights } from '../tests/test-nights.js';
import { attemptEnd, lostNodes } from './test-attempts.js';
import { signs } from './tests.js';

export interface TestDetail {
  readonly test: string;
  readonly standing: Standing;
  /** The newest first. */
  readonly nights: readonly TestNights[];
  readonly standings: Standings;
  readonly nowMs: number;
  /** Release file as it was typed. Empty for the default. */
  readonly file: string;
}

const PATTERNS_SHOWN = 5;
const PATTERN_CHARACTERS = 160;

/** One screen about one test. */
export function historyLines(detail: TestDetail, paint: Colours): readonly string[] {
  const { nights } = detail;
  return [
    ...headLines(detail, paint),
    ...section(paint.bold('Nights, the newest first'), table(nights.map(nightCells))),
    ...patternLines(nights, paint),
    ...nextLines(detail, paint),
  ];
}

function headLines({ test, standing, standings, nowMs }: TestDetail, paint: Colours): readonly string[] {
  const { title, state, owner, jail, issue, blamed, letters } = standing;
  const span = /F[IS]*$/.test(letters) ? spanOf(letters, standings.nights) : null;
  const isOver = jail !== null && Date.parse(jail.until) <= nowMs;
  const lines = [
    jail &&
      `jailed${isOver ? ', and its time is over' : ''}: ${jail.owner} until ${jail.until}: ${jail.reason}${jail.by === null ? '' : ` (${jail.by})`}`,
    span && `it passed at ${span.good.slice(0, 12)} and failed at ${span.bad.slice(0, 12)}`,
    blamed && `blamed: ${blamed}`,
    isUnproven(letters) && 'not proven: its last three results are failures of the infrastructure',
  ];
  const facts = [
    ...[`${state} since ${sinceOf(standing, standings.nights)}`, `owner ${owner ?? 'none'}`],
    ...(issue === null ? [] : [`issue ${issue.number}${issue.open ? '' : ', closed'}`]),
    blocks(standing, nowMs) ? 'blocks releases' : 'blocks nothing',
  ];
  return [
    `${paint.bold(plain(title))}${title === test ? '' : plain(`  (${test})`)}`,
    `  ${plain(facts.join('; '))}`,
    ...lines.flatMap((line) => (line ? [`  ${plain(line)}`] : [])),
  ];
}

function nightCells({ label, commit, letter, outcomes }: TestNights): readonly string[] {
  const ms = outcomes.reduce((sum, one) => sum + one.ms, 0);
  const isPass = outcomes.every(({ code }) => code === null);
  return [
    `  ${signs(letter)}`,
    plain(label),
    commit?.slice(0, 12) ?? '-',
    outcomes.length === 0 ? 'no records' : counted(outcomes.length, 'attempt'),
    outcomes.length === 0 ? '' : duration(ms),
    isPass ? '' : plain(outcomes.map(attemptEnd).join(', ')),
    plain(outcomes.map(lostNodes).filter(Boolean).join('; ')),
  ];
}

function patternLines(nights: readonly TestNights[], paint: Colours): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { label, outcomes } of nights)
    for (const { crashPattern } of outcomes)
      if (crashPattern !== '') groups.set(crashPattern, [...(groups.get(crashPattern) ?? []), label]);
  const often = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
  const row = ([pattern, labels]: readonly [string, readonly string[]]): readonly string[] => {
    const last = labels.length > 1 ? `${labels.at(-1)} … ${labels[0]}` : labels[0]!;
    return [`  ${labels.length}×`, plain(last), plain(pattern.slice(0, PATTERN_CHARACTERS))];
  };
  return section(
    paint.bold('Crashes'),
    first(often, PATTERNS_SHOWN, (some) => table(some.map(row)), '--json'),
  );
}

/** The rest of a command about the same standings. */
function whereOf({ file, standings: { profile } }: TestDetail): string {
  const path = /^[\w./@+-]*$/.test(file) ? file : quoted(file);
  return `${path === '' ? '' : ` ${path}`}${profile === DEFAULT_PROFILE ? '' : ` --profile ${profile}`}`;
}
const DEFAULT_PROFILE = 'local';

function nextLines(detail: TestDetail, paint: Colours): readonly string[] {
  const { test, standing, nights, nowMs } = detail;
  const where = whereOf(detail);
  const failed = nights.find(({ letter }) => letter !== 'P');
  const step = failed?.outcomes.at(-1)?.step;
  const jail = `slipway tests jail ${test}${where} --owner ${standing.owner ?? 'NAME'} --for 14d --reason WHY`;
  const next = [
    ...(step === undefined ? [] : [`slipway logs ${step} --run ${failed!.run}`]),
    ...(standing.state === 'jailed' ? [`slipway tests unjail ${test}${where} --reason WHY`] : []),
    ...(standing.state !== 'passing' && (standing.jail === null || blocks(standing, nowMs)) ? [jail] : []),
  ];
  return section(
    paint.bold('Next'),
    next.map((line) => `  ${plain(line)}`),
  );
}
