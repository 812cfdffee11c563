import { foundBy } from './actions.js';
import { proven } from './letters.js';
import type { Standing, StandingName, StandingsPolicy } from '../../model/tests/standing.js';

/** A test after a night, before it moves. */
export interface Moment {
  readonly standing: Standing;
  /** Its results without infrastructure failures, the oldest first. */
  readonly results: string;
  readonly policy: StandingsPolicy;
  /** Time of the night, ISO 8601. */
  readonly at: string;
}

interface Rule {
  readonly from: readonly StandingName[];
  readonly to: StandingName;
  /** One sentence if the rule holds. */
  readonly when: (moment: Moment) => string | null;
}

const passedLast = ({ results }: Moment): string | null => (/[Pp]$/.test(results) ? 'it passed' : null);
const failedLast = ({ results }: Moment, times: number): boolean =>
  results.length >= times && /^F+$/.test(results.slice(-times));

const twoFailures = (moment: Moment): string | null => (failedLast(moment, 2) ? 'it failed two times in a row' : null);

const isBlamed = (moment: Moment): string | null => {
  const { blamed } = moment.standing;
  return blamed !== null && failedLast(moment, 1) ? foundBy(blamed) : null;
};

/** Failures that come after a pass, also those of nights that ended with a pass. */
const falls = ({ results, policy }: Moment): number => {
  const seen = results.slice(-policy.flaky.of);
  return (seen.match(/[Pp](?=[Fp])/g) ?? []).length;
};
const isCalm = ({ results, policy: { flaky } }: Moment): boolean =>
  results.length >= flaky.calm && /^P+$/.test(results.slice(-flaky.calm));

const oftenFails = (moment: Moment): string | null => {
  const { of, share } = moment.policy.flaky;
  const count = falls(moment);
  if (isCalm(moment) || count * 100 < share * of) return null;
  return `${count} of its last ${of} results were failures after a pass`;
};

const jailIsOver = ({ standing: { jail }, at }: Moment): string | null =>
  jail !== null && isOver(jail.until, at) ? 'its jail is over' : null;

export const isOver = (until: string, at: string): boolean => Date.parse(until) <= Date.parse(at);

const deservesJail = (moment: Moment): string | null => {
  const { standing, policy } = moment;
  if (standing.owner === null || standing.served || !failedLast(moment, policy.jail.after)) return null;
  return `it failed ${policy.jail.after} times in a row, and ${standing.owner} owns it`;
};

/** Rules that only a pass or a failure of the night can fulfil, in their order; the first that holds moves the test. */
export const RULES: readonly Rule[] = [
  { from: ['failing', 'consistently failing', 'jailed'], to: 'passing', when: passedLast },
  { from: ['flaky'], to: 'passing', when: (moment) => (isCalm(moment) ? 'it passed often enough in a row' : null) },
  { from: ['consistently failing'], to: 'jailed', when: deservesJail },
  { from: ['passing', 'failing'], to: 'consistently failing', when: twoFailures },
  {
    from: ['flaky'], // Ray's own rules leave a test flaky that fails every night
    to: 'consistently failing',
    when: (moment) => (failedLast(moment, moment.policy.jail.after) ? 'it is flaky no more: it always fails' : null),
  },
  { from: ['passing'], to: 'failing', when: (moment) => (failedLast(moment, 1) ? 'it failed' : null) },
  { from: ['passing'], to: 'flaky', when: oftenFails },
];

/** Rules of the calendar and of bisects: they hold in any night. */
export const ANY_NIGHT: readonly Rule[] = [
  { from: ['jailed'], to: 'consistently failing', when: jailIsOver },
  { from: ['failing'], to: 'consistently failing', when: isBlamed },
];

/** Returns the first rule that holds, and why. Null if the test stays. @param proves the night proved something */
export function ruleFor(
  moment: Moment,
  proves: boolean,
): { readonly to: StandingName; readonly because: string } | null {
  for (const { from, to, when } of [...(proves ? RULES : []), ...ANY_NIGHT]) {
    const because = from.includes(moment.standing.state) ? when(moment) : null;
    if (because !== null) return { to, because };
  }
  return null;
}

export const momentOf = (standing: Standing, policy: StandingsPolicy, at: string): Moment => ({
  standing,
  policy,
  at,
  results: proven(standing.letters, policy.infraCounts),
});
