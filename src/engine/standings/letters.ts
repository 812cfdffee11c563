import type { Letter } from '../../model/tests/standing.js';

/** Nights with a result that are kept of a test. */
export const NIGHTS_KEPT = 30;
/** Nights that are kept at all: a test that runs once a month has 30 results in 900 nights. */
const LETTERS_KEPT = 400;

/** Adds a night, and drops the oldest beyond the limits. */
export function withLetter(letters: string, letter: Letter): string {
  let all = (letters + letter).slice(-LETTERS_KEPT);
  let results = all.replaceAll('S', '').length;
  while (results > NIGHTS_KEPT || all.startsWith('S')) {
    if (!all.startsWith('S')) results -= 1;
    all = all.slice(1);
  }
  return all;
}

/** Letters that say whether the product works, the oldest first.
 * @param infraCounts an infrastructure failure is a failure */
export const proven = (letters: string, infraCounts: boolean): string =>
  infraCounts ? letters.replaceAll('S', '').replaceAll('I', 'F') : letters.replace(/[IS]/g, '');
