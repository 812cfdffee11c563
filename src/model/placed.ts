import { notPlaced } from './errors.js';
import { fail } from './failure.js';

/** A row of a feature that stands directly after another row. */
export interface Added {
  readonly owner: string;
  readonly name: string;
  readonly after: string;
}

/** Returns all names in order, with those of features after their neighbours. Throws FEATURE_ROW_NOT_PLACED if a neighbour is
 * unknown, or if neighbours form a circle.
 * @param what a row, for the problem: `stage` */
export function placed(what: string, order: readonly string[], left: readonly Added[]): readonly string[] {
  // The last one first, so that two rows after one neighbour are in the order of their features.
  const next = left.findLast(({ after }) => order.includes(after));
  if (next !== undefined)
    return placed(
      what,
      order.toSpliced(order.indexOf(next.after) + 1, 0, next.name),
      left.filter((one) => one !== next),
    );
  const isLeft = ({ after }: Added): boolean => left.some(({ name }) => name === after);
  const [first] = left.toSorted((a, b) => Number(isLeft(a)) - Number(isLeft(b)));
  if (first !== undefined) throw fail(notPlaced(what, first, isLeft(first)));
  return order;
}
