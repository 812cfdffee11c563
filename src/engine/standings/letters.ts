import type { Outcome } from '../../model/tests/outcome.js';
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

/** The letter of one repeat: its last attempt decides. */
export function letterOf(attempts: readonly Pick<Outcome, 'class' | 'attempt'>[]): Letter {
  const sorted = attempts.toSorted((a, b) => a.attempt - b.attempt);
  const last = sorted.at(-1);
  if (last === undefined) return 'I';
  if (last.class !== null) return last.class === 'product' ? 'F' : 'I';
  return sorted.some((one) => one.class === 'product') ? 'p' : 'P';
}

/** The worst comes first. A test passes when all its repeats do. */
const WORST: readonly Letter[] = ['F', 'I', 'p', 'P', 'S'];

export const letterOfAll = (repeats: readonly Letter[]): Letter =>
  WORST.find((letter) => repeats.includes(letter)) ?? 'S';

/** True if the last three results were infrastructure failures: the test is not proven since. */
export const isUnproven = (letters: string): boolean => letters.replaceAll('S', '').endsWith('III');
