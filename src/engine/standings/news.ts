import type { RunId } from '../../model/ids.js';
import type { Jail, Night, Standing, StandingName, Standings } from '../../model/tests/standing.js';
import { spanOf } from './consequences.js';
import { isUnproven, proven } from './letters.js';

const SOON_MS = 3 * 86_400_000;

/** A test that failed in the run, or whose jail ends soon. */
export interface TestNews {
  readonly test: string;
  readonly title: string;
  readonly state: StandingName;
  readonly owner: string | null;
  /** Label of the night in which the state began. */
  readonly since: string;
  /** Commits between which it began to fail. Null if they are not known. */
  readonly span: { readonly good: string; readonly bad: string } | null;
  readonly jail: Jail | null;
  readonly issue: number | null;
  readonly blamed: string | null;
}

/** News of a run's tests, compared with earlier nights. Record `runs/<run>/standings`. */
export interface StandingsNews {
  readonly slipway: 1;
  /** Failed, and passed before. */
  readonly newly: readonly TestNews[];
  /** Failed, as in the nights before. */
  readonly known: readonly TestNews[];
  /** Failed in jail. */
  readonly tolerated: readonly TestNews[];
  /** Jails that end within 3 days. */
  readonly ending: readonly TestNews[];
  /** Three results in a row prove nothing. */
  readonly unproven: readonly TestNews[];
}

export const NO_NEWS: StandingsNews = { slipway: 1, newly: [], known: [], tolerated: [], ending: [], unproven: [] };

/** Returns the news of a run. None if the standings do not end with it. */
export function newsOf(standings: Standings, run: RunId): StandingsNews {
  const { nights, tests } = standings;
  const night = nights.at(-1);
  if (night === undefined || night.run !== run) return NO_NEWS;
  const all = Object.entries(tests).map(([test, standing]) => ({ standing, news: testNews(test, standing, nights) }));
  const those = (holds: (standing: Standing) => boolean): readonly TestNews[] =>
    all.filter(({ standing }) => holds(standing)).map(({ news }) => news);
  const failed = ({ letters }: Standing): boolean => letters.endsWith('F');
  const isJailed = ({ jail, since }: Standing): boolean => jail !== null && since < night.no;
  return {
    slipway: 1,
    newly: those((one) => failed(one) && !isJailed(one) && isFirst(one)),
    known: those((one) => failed(one) && !isJailed(one) && !isFirst(one)),
    tolerated: those((one) => failed(one) && isJailed(one)),
    ending: those(({ jail }) => jail !== null && Date.parse(jail.until) - Date.parse(night.at) <= SOON_MS),
    unproven: those(({ letters }) => isUnproven(letters)),
  };
}

/** No failure comes right before the last one. */
const isFirst = ({ letters }: Standing): boolean => !proven(letters, false).endsWith('FF');

function testNews(test: string, standing: Standing, nights: readonly Night[]): TestNews {
  const { title, state, owner, jail, issue, blamed, letters } = standing;
  const span = letters.endsWith('F') ? spanOf(letters, nights) : null;
  return {
    test,
    title,
    state,
    owner,
    since: sinceOf(standing, nights),
    span,
    jail,
    issue: issue?.number ?? null,
    blamed,
  };
}

/** Label of the night in which the state began; the oldest known one if it began earlier. */
export const sinceOf = ({ since }: Standing, nights: readonly Night[]): string =>
  (nights.find(({ no }) => no >= since) ?? nights.at(-1))?.label ?? '';

/** A test in this state stops a release. A jail that is over blocks too, also before the next night ends it. */
export const blocks = ({ state, jail }: Standing, nowMs: number): boolean =>
  state === 'consistently failing' || (jail !== null && Date.parse(jail.until) <= nowMs);
