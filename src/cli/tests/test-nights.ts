import type { Outcome } from '../../model/tests/outcome.js';
import type { Letter, Night, Standings } from '../../model/tests/standing.js';
import type { TestsPort } from '../ports.js';

/** A night in which a test ran, with its attempts. */
export interface TestNights extends Night {
  readonly letter: Letter;
  /** Outcomes of all repeats, in their order. Empty if its records are gone. */
  readonly outcomes: readonly Outcome[];
}

/** Reads the outcomes of one test, the newest night first. */
export async function outcomesByNight(
  test: string,
  { tests, nights }: Standings,
  port: Pick<TestsPort, 'outcomes'>,
): Promise<readonly TestNights[]> {
  const { letters } = tests[test]!;
  const own = nights.slice(nights.length - letters.length);
  const ran = own.flatMap((night, at) => (letters[at] === 'S' ? [] : [{ ...night, letter: letters[at] as Letter }]));
  return Promise.all(
    ran.toReversed().map(async (night) => ({ ...night, outcomes: await port.outcomes(night.run, test) })),
  );
}
