import type { Try } from '../../model/bisect.js';

/** Verdict on a commit by its tries. Null: more are needed. */
export type CommitVerdict = 'pass' | 'fail' | 'skip' | null;

/** A commit whose tries all end so is given up, as one that cannot be built. */
const MOST_INFRA = 3;

/** One failure is a fail. A pass takes `repeats` passes. */
export function verdictOfTries(tries: readonly Try[], repeats: number): CommitVerdict {
  if (tries.includes('fail')) return 'fail';
  if (tries.includes('unbuildable')) return 'skip';
  if (count(tries, 'pass') >= repeats) return 'pass';
  return count(tries, 'infra') >= MOST_INFRA ? 'skip' : null;
}

/** Tries that a commit still needs for a pass. */
export const triesLeft = (tries: readonly Try[], repeats: number): number =>
  Math.max(0, repeats - count(tries, 'pass'));

export const count = (tries: readonly Try[], one: Try): number => tries.filter((each) => each === one).length;

/** Chance that a commit with the fault passes all its repeats, at most. */
const MOST_DOUBT = 0.05;
export const MOST_REPEATS = 10;

/** Returns how often a commit has to pass before it counts, at most 10. @param share of tries that fail with the fault, above 0 */
export function repeatsFor(share: number): number {
  if (share >= 1) return 1;
  return Math.min(MOST_REPEATS, Math.ceil(Math.log(MOST_DOUBT) / Math.log(1 - share)));
}
