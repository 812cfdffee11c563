import type { StandingsNews, TestNews } from '../../engine/standings/news.js';
import { plain, table, type Colours } from '../render/paint.js';

const SHOWN = 24;

/** The release tests of a run: what is new comes first. */
export function standingsLines(news: StandingsNews | null, paint: Colours): readonly string[] {
  if (news === null) return [];
  return [
    ...section('Newly failing tests', news.newly, newCells, paint),
    ...section('Tests that failed before, too', news.known, knownCells, paint),
    ...section('Tolerated: in jail', news.tolerated, jailCells, paint),
    ...section('Jails that end within 3 days', news.ending, jailCells, paint),
    ...section('Not proven: three nights of infrastructure failures', news.unproven, knownCells, paint),
  ];
}

function section(
  title: string,
  tests: readonly TestNews[],
  cells: (test: TestNews) => readonly string[],
  paint: Colours,
): readonly string[] {
  if (tests.length === 0) return [];
  const more = tests.length - SHOWN;
  const rows = tests.slice(0, SHOWN).map((test) => [`  ${plain(test.title)}`, ...cells(test).map(plain)]);
  return ['', paint.bold(title), ...table(rows), ...(more > 0 ? [`  and ${more} more: slipway tests`] : [])];
}

const newCells = ({ span, owner }: TestNews): readonly string[] => [
  span === null ? 'no earlier pass is known' : `between ${span.good.slice(0, 12)} and ${span.bad.slice(0, 12)}`,
  owner ?? '',
];

const knownCells = ({ state, since, owner, blamed }: TestNews): readonly string[] => [
  `${state} since ${since}`,
  owner ?? '',
  blamed === null ? '' : `blamed: ${blamed}`,
];

const jailCells = ({ jail, issue }: TestNews): readonly string[] => [
  `${jail?.owner ?? ''} until ${jail?.until.slice(0, 16) ?? ''}`,
  issue === null ? '' : `issue ${issue}`,
];
