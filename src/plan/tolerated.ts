import type { Jail, Issue, StandingName, Standings } from '../model/tests/standing.js';

/** Why failures of jailed tests are tolerated, by `tests/` and the test's name in records. A jail that is over tolerates nothing.
 * @param standings null if no run has counted yet
 * @param nowMs milliseconds since 1970 */
export function toleratedBy(standings: Standings | null, nowMs: number): Readonly<Record<string, string>> {
  const jailed = Object.entries(standings?.tests ?? {}).flatMap(([test, { jail, issue }]) =>
    jail === null || Date.parse(jail.until) <= nowMs ? [] : [[`tests/${test}`, reasonFor(jail, issue)] as const],
  );
  return Object.fromEntries(jailed);
}

/** States of each test after the last night, by the entry of its variants: `tests/NAME`. A test whose jail is over fails
 * consistently until the next night is recorded.
 * @param nowMs milliseconds since 1970 */
export function statesBy(
  standings: Standings | null,
  nowMs: number,
): Readonly<Record<string, readonly StandingName[]>> {
  const states: Record<string, readonly StandingName[]> = {};
  for (const [test, { state, jail }] of Object.entries(standings?.tests ?? {})) {
    const isOver = state === 'jailed' && jail !== null && Date.parse(jail.until) <= nowMs;
    const entry = `tests/${test.split('@', 1)[0]}`;
    states[entry] = [...(states[entry] ?? []), isOver ? 'consistently failing' : state];
  }
  return states;
}

/** `jailed: core until 2026-12-06, issue 7`. */
const reasonFor = ({ owner, until }: Jail, issue: Issue | null): string =>
  `jailed: ${owner} until ${until.slice(0, 10)}${issue === null ? '' : `, issue ${issue.number}`}`;
