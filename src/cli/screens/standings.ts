import type { StandingsNews, TestNews } from '../../engine/standings/news.js';
import { first, plain, section, table, type Colours } from '../render/paint.js';

const SHOWN = 24;

/** The release tests of a run: what is new comes first. */
export function standingsLines(news: StandingsNews | null, paint: Colours): readonly string[] {
  if (news === null) return [];
  return [
    ...section(paint.bold('Newly failing tests'), rows(news.newly, newCells)),
    ...section(paint.bold('Tests that failed before, too'), rows(news.known, knownCells)),
    ...section(paint.bold('Tolerated: in jail'), rows(news.tolerated, jailCells)),
    ...section(paint.bold('Jails that end within 3 days'), rows(news.ending, jailCells)),
    ...section(paint.bold('Not proven: three nights of infrastructure failures'), rows(news.unproven, knownCells)),
  ];
}

const rows = (tests: readonly TestNews[], cells: (test: TestNews) => readonly string[]): readonly string[] => {
  const row = (test: TestNews): readonly string[] => [`  ${plain(test.title)}`, ...cells(test).map(plain)];
  return first(tests, SHOWN, (shown) => table(shown.map(row)), 'slipway tests');
};

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
