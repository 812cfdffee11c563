import { tally } from './grouped.js';
import { entryOf, type StepId } from './ids.js';

/** Maximum number of steps. A larger skeleton would not fit into one payload. */
export const MOST_STEPS = 20_000;

/** Steps of one entry of a release file. */
export interface Share {
  /** `tests/smoke` */
  readonly name: string;
  readonly steps: number;
  /** Number of values by axis, if known. */
  readonly axes: Readonly<Record<string, number>>;
}

/** Counts steps by the entry in their ids, the largest share first. */
export const sharesOf = (ids: readonly StepId[]): readonly Share[] =>
  [...tally(ids.map(entryOf))].map(([name, steps]) => ({ name, steps, axes: {} })).sort((a, b) => b.steps - a.steps);
