import type { Chain } from '../../model/run-folder.js';
import type {
  Jail,
  Letter,
  Move,
  Night,
  Standing,
  StandingName,
  Standings,
  StandingsPolicy,
} from '../../model/tests/standing.js';
import { act, type NumberedAction } from './actions.js';
import { consequencesOf } from './consequences.js';
import { withLetter } from './letters.js';
import { momentOf, ruleFor } from './rules.js';

/** One planned test in one run. */
export interface TestNight {
  readonly title: string;
  readonly owner: string | null;
  readonly team: string | null;
  readonly letter: Letter;
}

/** All that a run says of its tests. */
export interface NightFacts extends Omit<Night, 'no'> {
  readonly tests: Readonly<Record<string, TestNight>>;
}

export const noStandings = (chain: Chain): Standings => ({
  ...{ slipway: 1, nights: [], actions: 0, tests: {}, moves: [] },
  ...chain,
});

/** Returns the standings after a night. A night that is in them already changes nothing: a second fold of the same run is safe.
 * Each test makes at most one move by its results; actions come before it.
 * @param actions at least those that are newer than the standings */
export function fold(
  last: Standings,
  facts: NightFacts,
  actions: readonly NumberedAction[],
  policy: StandingsPolicy,
): Standings {
  if (last.nights.some(({ run }) => run === facts.run)) return last;
  const { tests: seen, ...night } = facts;
  const no = (last.nights.at(-1)?.no ?? 0) + 1;
  const acted = withActions(last, actions, no);
  const nights = [...last.nights, { no, ...night }];
  const tests: Record<string, Standing> = {};
  const moves = [...acted.moves];
  for (const test of [...new Set([...Object.keys(acted.tests), ...Object.keys(seen)])].sort()) {
    const before = withNight(own(acted.tests, test), own(seen, test), no);
    if (before === null) continue;
    const { standing, move } = moved(test, before, policy, nights);
    tests[test] = standing;
    if (move !== null) moves.push(move);
  }
  return { ...acted, tests, moves, nights: nightsOf(nights, tests) };
}

/** Returns the standings with the actions that are newer than they are. @param no number of the night that takes them; by default
 * the last one, for a look between two nights */
export function withActions(
  last: Standings,
  actions: readonly NumberedAction[],
  no: number = last.nights.at(-1)?.no ?? 0,
): Standings {
  const fresh = actions.filter((one) => one.no > last.actions).sort((a, b) => a.no - b.no);
  const tests: Record<string, Standing> = { ...last.tests };
  const moves: Move[] = [];
  for (const { action } of fresh) {
    const { test } = action;
    const before = own(tests, test);
    if (before === null) continue;
    const { standing, because } = act(before, action, no);
    tests[test] = standing;
    if (because !== null) moves.push(moveOf(test, before, standing, because, last.nights));
  }
  return { ...last, tests, moves, actions: fresh.at(-1)?.no ?? last.actions };
}

/** A test may be called `constructor`. */
const own = <T>(all: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(all, name) ? all[name]! : null;

/** Null for a test without any result: it has no standing. */
function withNight(known: Standing | null, seen: TestNight | null, no: number): Standing | null {
  const letters = withLetter(known?.letters ?? '', seen?.letter ?? 'S');
  if (known === null) {
    if (seen === null || letters === '') return null;
    const { title, owner, team } = seen;
    return { title, state: 'passing', since: no, letters, owner, team, jail: null, issue: null, blamed: null };
  }
  const isForgotten = letters === '' && known.jail === null && known.issue === null;
  if (isForgotten) return null;
  return { ...known, letters, ...(seen && { title: seen.title, owner: seen.owner, team: seen.team }) };
}

function moved(
  test: string,
  before: Standing,
  policy: StandingsPolicy,
  nights: readonly Night[],
): { readonly standing: Standing; readonly move: Move | null } {
  const night = nights.at(-1)!;
  const letter = before.letters.at(-1) ?? 'S';
  const proves = letter === 'I' ? policy.infraCounts : letter !== 'S';
  const rule = ruleFor(momentOf(before, policy, night.at), proves);
  if (rule === null) return { standing: before, move: null };
  const standing = inState(before, rule.to, night, policy, rule.because);
  return { standing, move: moveOf(test, before, standing, rule.because, nights) };
}

function inState(
  { served, ...before }: Standing,
  state: StandingName,
  { no, at }: Night,
  { jail: { forMs } }: StandingsPolicy,
  reason: string,
): Standing {
  const until = new Date(Date.parse(at) + forMs).toISOString();
  const jail: Jail | null = state === 'jailed' ? { owner: before.owner!, until, reason, by: null } : null;
  const wasServed = served === true || before.state === 'jailed';
  return {
    ...{ ...before, state, since: no, jail },
    ...(state === 'passing' ? { blamed: null, issue: null } : wasServed && { served: true as const }),
  };
}

function moveOf(test: string, before: Standing, after: Standing, because: string, nights: readonly Night[]): Move {
  return {
    test,
    from: before.state,
    to: after.state,
    because,
    consequences: consequencesOf({ before, after, because, nights }),
  };
}

/** Nights that some letter is about. */
function nightsOf(nights: readonly Night[], tests: Readonly<Record<string, Standing>>): readonly Night[] {
  const longest = Object.values(tests).reduce((most, { letters }) => Math.max(most, letters.length), 1);
  return nights.slice(-longest);
}
