import { fold, noStandings, type NightFacts, type TestNight } from '../../../src/engine/standings/fold.js';
import type { NumberedAction } from '../../../src/engine/standings/actions.js';
import type { Letter, Standing, Standings, StandingsPolicy } from '../../../src/model/tests/standing.js';

const DAY_MS = 86_400_000;

export const POLICY: StandingsPolicy = {
  branch: 'master',
  jail: { after: 3, forMs: 14 * DAY_MS },
  flaky: { of: 30, share: 7, calm: 10 },
  infraCounts: false,
};

export const CHAIN = { pipeline: 'night', profile: 'local', branch: 'master' };

/** Time of a night that is `day` days after 1 November. */
export const timeOf = (day: number): string => new Date(Date.UTC(2026, 10, 1) + day * DAY_MS).toISOString();

export const aTest = (letter: Letter, more: Partial<TestNight> = {}): TestNight => ({
  ...{ title: 'many_nodes.aws', owner: 'core', team: 'core', letter },
  ...more,
});

export const aNight = (day: number, tests: NightFacts['tests']): NightFacts => ({
  ...{ run: `run-${day}`, label: `night-${day}`, at: timeOf(day), commit: `${day}`.padEnd(40, 'c'), tests },
});

export interface Nights {
  readonly owner?: string | null;
  readonly policy?: Partial<StandingsPolicy>;
  /** Actions before the night of this day, from 1. */
  readonly actions?: Readonly<Record<number, NumberedAction['action'][]>>;
  readonly from?: Standings;
}

/** Folds one test, `t`, over these letters, one night each. */
export function after(letters: string, { owner = 'core', policy = {}, actions = {}, from }: Nights = {}): Standings {
  let standings = from ?? noStandings(CHAIN);
  let taken = standings.actions;
  for (const letter of letters) {
    const day = (standings.nights.at(-1)?.no ?? 0) + 1;
    const said = (actions[day] ?? []).map((action) => ({ no: ++taken, action }));
    const night = aNight(day, { t: aTest(letter as Letter, { owner }) });
    standings = fold(standings, night, said, { ...POLICY, ...policy });
  }
  return standings;
}

export const testAfter = (letters: string, nights?: Nights): Standing => after(letters, nights).tests['t']!;
