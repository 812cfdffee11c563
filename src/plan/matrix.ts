import type { Axes } from '../model/ids.js';
import { MOST_STEPS } from '../model/plan-size.js';
import type { PlanEntry, Need, Variant } from './plan-entry.js';

/** Axes in the order in which ids name them. */
const rank = (axis: string): string => (axis === 'python' ? '0' : axis === 'platform' ? '1' : `2${axis}`);

export const idOf = (item: string, axes: Axes): string =>
  [
    item,
    ...Object.keys(axes)
      .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
      .map((axis) => axes[axis]!),
  ].join('/');

/** Two sets of axes agree where both have a value. */
export function agree(a: Axes, b: Axes): boolean {
  for (const axis in a) if (b[axis] !== undefined && b[axis] !== a[axis]) return false;
  return true;
}

export const matches = (partial: Axes, axes: Axes): boolean =>
  Object.entries(partial).every(([axis, value]) => axes[axis] === value);

/** Combinations that are looked at, with those that `exclude` takes out again: three axes of a thousand would never end. */
export const MOST_COMBINATIONS = 2 * MOST_STEPS;

/** Natural join of two relations: rows that agree, put together. Ends early where they are too many for any plan. */
function join(rows: readonly Axes[], others: readonly Axes[]): readonly Axes[] {
  const joined: Axes[] = [];
  for (const row of rows) {
    for (const other of others) if (agree(row, other)) joined.push({ ...row, ...other });
    if (joined.length > MOST_COMBINATIONS) break;
  }
  return joined;
}

function distinct(rows: readonly Axes[]): Axes[] {
  return [...new Map(rows.map((row) => [idOf('', row), row])).values()];
}

const gathers = (need: Need, axis: string): boolean => need.ref.gather === 'all' || need.ref.gather.includes(axis);

/** Axes that a need hands on: not those it picks or gathers. */
function handedOn(need: Need, item: PlanEntry, axes: Axes): Axes {
  const kept = Object.entries(axes).filter(
    ([axis]) => !need.first && !(axis in need.ref.pick) && !gathers(need, axis) && !item.without.includes(axis),
  );
  return Object.fromEntries(kept);
}

/** Variants of what is needed that fit the need's own picks. */
export const picked = (need: Need, variants: readonly Variant[]): readonly Variant[] =>
  variants.filter((variant) => matches(need.ref.pick, variant.axes));

/** The combinations of an item: inherited axes joined, its own and its matrix's crossed, excludes out, includes in.
 * Null: more than are looked at. */
export function combinations(item: PlanEntry, needed: readonly (readonly Variant[])[]): readonly Axes[] | null {
  let rows: readonly Axes[] = [{}];
  for (const [index, need] of item.needs.entries()) {
    if (need.quiet) continue;
    rows = join(rows, distinct(needed[index]!.map((variant) => handedOn(need, item, variant.axes))));
  }
  for (const [axis, values] of Object.entries({ ...item.own, ...item.matrix })) {
    if (!item.without.includes(axis))
      rows = join(
        rows,
        values.map((value) => ({ [axis]: value })),
      );
  }
  if (rows.length > MOST_COMBINATIONS) return null;
  return distinct([...rows.filter((row) => !item.exclude.some((partial) => matches(partial, row))), ...item.include]);
}

/** A variant that is needed, with the axes that it hands on. */
export interface Handed {
  readonly variant: Variant;
  readonly axes: Axes;
}

/** Returns what each need offers. Computed once for all combinations. */
export const offers = (item: PlanEntry, needed: readonly (readonly Variant[])[]): readonly (readonly Handed[])[] =>
  item.needs.map((need, index) =>
    needed[index]!.map((variant) => ({ variant, axes: handedOn(need, item, variant.axes) })),
  );

/** The variants that one combination uses of one need. */
export function used(need: Need, axes: Axes, offered: readonly Handed[]): readonly Variant[] {
  const fitting = offered.filter((one) => agree(one.axes, axes)).map(({ variant }) => variant);
  return need.first || need.quiet ? fitting.slice(0, 1) : fitting;
}
