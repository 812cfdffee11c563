import { grouped } from '../../model/grouped.js';
import { CACHE_STATES, type CacheState } from '../../model/index-refresh.js';
import type { CacheWheel } from './cache-wheels.js';

/** How many wanted wheels a target has in each state. */
export interface TargetCounts {
  readonly target: string;
  readonly wanted: number;
  readonly counts: Readonly<Record<CacheState, number>>;
}

/** Counts wheels by target, sorted by its name. */
export function targetCounts(wheels: readonly Pick<CacheWheel, 'target' | 'state'>[]): readonly TargetCounts[] {
  return [...grouped(wheels, ({ target }) => target)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([target, all]) => ({ target, wanted: all.length, counts: countsOf(all) }));
}

const countsOf = (wheels: readonly Pick<CacheWheel, 'state'>[]): TargetCounts['counts'] =>
  Object.fromEntries(
    CACHE_STATES.map((state) => [state, wheels.filter((one) => one.state === state).length]),
  ) as TargetCounts['counts'];

/** One wheel in one state for one reason, and the targets that this is true of. */
export interface CacheLine extends Omit<CacheWheel, 'target'> {
  readonly targets: readonly string[];
}

/** Joins the targets of a wheel that have one reason. */
export function cacheLines(wheels: readonly CacheWheel[], state: CacheState): readonly CacheLine[] {
  const mine = wheels.filter((one) => one.state === state);
  return [...grouped(mine, ({ wheel, because }) => `${wheel} ${because}`).values()].map((all) => {
    const { target: _, ...first } = all[0];
    return { ...first, targets: all.map(({ target }) => target) };
  });
}
