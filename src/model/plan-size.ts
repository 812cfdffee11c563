import type { StepId } from './ids.js';

/** Most steps of a run. More would not fit into one payload. */
export const MOST_STEPS = 20_000;

/** What one entry of a release file makes of itself. */
export interface Share {
  /** `tests/smoke` */
  readonly name: string;
  readonly steps: number;
  /** How many values each of its axes has, where that is known. */
  readonly axes: Readonly<Record<string, number>>;
}

/** Steps by the entry that they come from, by their ids; the largest share first. */
export function sharesOf(ids: readonly StepId[]): readonly Share[] {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const name = id.split('/', 2).join('/');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, steps]) => ({ name, steps, axes: {} })).sort((a, b) => b.steps - a.steps);
}
