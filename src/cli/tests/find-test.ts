import { fail } from '../../model/failure.js';
import { entryOf } from '../../model/tests/outcome.js';
import type { Standings } from '../../model/tests/standing.js';
import { didYouMean } from '../../model/suggest.js';
import { manyTests, unknownTest } from './errors.js';

/** Returns a test's name in records: by that name, by its title, or by its entry if it has one variant. Throws UNKNOWN_TEST or
 * MANY_TESTS. A beginning of a name is no name. */
export function findTest(standings: Standings, asked: string): string {
  const found = testsCalled(standings, asked);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) throw fail(manyTests(asked, found));
  const known = Object.entries(standings.tests).flatMap(([test, { title }]) => [test, title]);
  throw fail(unknownTest(asked, didYouMean(asked, known)));
}

/** Returns the names in records of all tests that a person may mean. */
export function testsCalled({ tests }: Standings, asked: string): readonly string[] {
  if (Object.hasOwn(tests, asked)) return [asked];
  const found = Object.entries(tests).filter(([test, { title }]) => title === asked || entryOf(test) === asked);
  return found.map(([test]) => test);
}
