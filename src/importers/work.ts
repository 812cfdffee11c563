import type { Problem, SourceLocation } from '../model/failure.js';
import { config } from './file-problem.js';

/** Returns true if an import may make so many more. Call it before making them. */
export type Work = (count: number, place: SourceLocation) => boolean;

/** Limits what an import makes of its files. Complains where the limit is passed, once.
 * @param what in the plural: `values of tests` */
export function openWork(most: number, what: string, complain: (problem: Problem) => void): Work {
  let left = most;
  return (count, place) => {
    const isLeft = count <= left;
    if (!isLeft && left >= 0) complain(tooLarge(place, most, what));
    left = isLeft ? left - count : -1;
    return isLeft;
  };
}

const tooLarge = (place: SourceLocation, most: number, what: string): Problem =>
  config(
    place,
    'IMPORT_TOO_LARGE',
    `the import exceeds the limit of ${most} ${what}`,
    'Shorten the file or remove what multiplies it: matrices, aliases, lists in lists. Each import has this limit for itself.',
  );
