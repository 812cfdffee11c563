import { fail } from '../../model/failure.js';
import type { Standings } from '../../model/tests/standing.js';
import { didYouMean } from '../../model/suggest.js';
import { manyTests, unknownTest } from './errors.js';

/** Returns a test's name in records: by that name, by its title, or by its entry if it has one variant. Throws UNKNOWN_TEST or
 * MANY_TESTS. A beginning of a name is no name. */
export function findTest({ tests }: Standings, asked: string): string {
  if (Object.hasOwn(tests, asked)) return asked;
  const all = Object.entries(tests);
  const found = all.filter(([test, { title }]) => title === asked || test.split('@', 1)[0] === asked);
  if (found.length === 1) return found[0]![0];
  if (found.length > 1)
    throw fail(
      manyTests(
        asked,
        found.map(([test]) => test),
      ),
    );
  throw fail(
    unknownTest(
      asked,
      didYouMean(
        asked,
        all.flatMap(([test, { title }]) => [test, title]),
      ),
    ),
  );
}
