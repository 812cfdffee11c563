import { isUnproven } from '../../engine/standings/letters.js';
import { sinceOf } from '../../engine/standings/news.js';
import { counted } from '../../model/counted.js';
import { STANDING_NAMES, type Standing, type Standings } from '../../model/tests/standing.js';
import { type Colours, plain, table } from '../render/paint.js';

export interface TestRow extends Standing {
  readonly test: string;
  readonly blocks: boolean;
}

/** Signs of letters: passed, passed after a failure of its own, failed, infrastructure, not chosen. */
const SIGNS: Readonly<Record<string, string>> = { P: '●', p: '◐', F: '○', I: '·', S: '-' };
const LAST = 10;

export const signs = (letters: string): string => [...letters].map((letter) => SIGNS[letter] ?? '?').join('');

/** One line a test, blockers first. @param isShort passing tests are only counted, unless nothing proved them lately */
export function testsLines(
  standings: Standings,
  rows: readonly TestRow[],
  isShort: boolean,
  paint: Colours,
): readonly string[] {
  const shown = rows
    .filter(({ state, letters }) => !isShort || state !== 'passing' || isUnproven(letters))
    .toSorted((a, b) => rank(a) - rank(b) || (a.title < b.title ? -1 : 1));
  const passing = rows.length - shown.length;
  const cells = shown.map((row) => cellsOf(row, standings));
  return [
    paint.bold(plain(titleOf(standings))),
    ...(cells.length > 0 ? ['', ...table(cells), '', LEGEND] : []),
    '',
    countsOf(rows),
    ...(passing > 0 && shown.length > 0 ? ['Passing tests are left out: `slipway tests --standing passing`'] : []),
  ];
}

const LEGEND =
  '● passed  ◐ passed at a later attempt  ○ failed  · infrastructure  - not run; the last night is on the right';

function titleOf({ pipeline, branch, profile, nights }: Standings): string {
  const { label = '', commit = null } = nights.at(-1) ?? {};
  return `${pipeline} ${label}, branch ${branch}${commit === null ? '' : ` at ${commit.slice(0, 12)}`}, profile ${profile}`;
}

/** Severest first. */
const ORDER = ['consistently failing', 'failing', 'flaky', 'jailed', 'passing'] as const;
const rank = ({ blocks, state }: TestRow): number => (blocks ? 0 : 1 + ORDER.indexOf(state));

const cellsOf = (row: TestRow, { nights }: Standings): readonly string[] => [
  row.state,
  plain(row.title),
  plain(`since ${sinceOf(row, nights)}`),
  signs(row.letters.slice(-LAST).padStart(LAST, 'S')),
  plain(row.jail?.owner ?? row.owner ?? '-'),
  row.jail === null ? '' : `until ${row.jail.until.slice(0, 10)}`,
  row.issue === null ? '' : `issue ${row.issue.number}`,
  row.blocks ? 'blocks' : isUnproven(row.letters) ? 'not proven' : '',
];

function countsOf(rows: readonly TestRow[]): string {
  const counts = STANDING_NAMES.flatMap((name) => {
    const count = rows.filter(({ state }) => state === name).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  const blocking = rows.filter(({ blocks }) => blocks).length;
  return `${counted(rows.length, 'test')}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}; ${blocking === 0 ? 'none blocks' : `${blocking} ${blocking === 1 ? 'blocks' : 'block'}`}`;
}
