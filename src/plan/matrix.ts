import type { Axes } from '../model/ids.js';
import { grouped, type Groups } from '../model/grouped.js';
import { MOST_STEPS } from '../model/plan-size.js';
import type { PlanEntry, Need, Variant } from './stage.js';

/** Sort key of an axis in ids: python, platform, then the others. */
const rank = (axis: string): string => (axis === 'python' ? '0' : axis === 'platform' ? '1' : `2${axis}`);

export const idOf = (item: string, axes: Axes): string =>
  [
    item,
    ...Object.keys(axes)
      .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
      .map((axis) => axes[axis]!),
  ].join('/');

/** Whether two sets of axes have no conflicting value. */
export function agree(a: Axes, b: Axes): boolean {
  for (const axis in a) if (b[axis] !== undefined && b[axis] !== a[axis]) return false;
  return true;
}

/** Whether every axis of the first has the same value in the second. */
export function matches(partial: Axes, axes: Axes): boolean {
  for (const axis in partial) if (partial[axis] !== axes[axis]) return false;
  return true;
}

/** Limit of combinations before `exclude`: three axes of a thousand would never end. */
export const MOST_COMBINATIONS = 2 * MOST_STEPS;

/** Limit of comparisons for one plan, which take half a second. */
export const MOST_COMPARISONS = 500 * MOST_COMBINATIONS;

/** Called before so many comparisons. Throws above the limit of the plan. */
export type Compare = (count: number) => void;

/** Returns a lookup of all that may agree with a row, by the axis with the most values among those that all have. */
function lookup<T>(all: readonly T[], axesOf: (one: T) => Axes): (row: Axes) => readonly T[] {
  let [widest, groups]: [string, Groups<string | undefined, T>] = ['', new Map()];
  for (const axis of Object.keys(all.length === 0 ? {} : axesOf(all[0]!))) {
    const found = grouped(all, (one) => axesOf(one)[axis]);
    if (!found.has(undefined) && found.size > groups.size) [widest, groups] = [axis, found];
  }
  return (row) => (groups.size === 0 || row[widest] === undefined ? all : (groups.get(row[widest]) ?? []));
}

/** Natural join: merges rows that agree. Stops at more rows than a plan may have. */
function join(rows: readonly Axes[], others: readonly Axes[], compare: Compare): readonly Axes[] {
  const joined: Axes[] = [];
  const find = lookup(others, (one) => one);
  for (const row of rows) {
    const near = find(row);
    compare(near.length + 1);
    for (const other of near) if (agree(row, other)) joined.push({ ...row, ...other });
    if (joined.length > MOST_COMBINATIONS) break;
  }
  return joined;
}

function distinct(rows: readonly Axes[]): Axes[] {
  return [...new Map(rows.map((row) => [idOf('', row), row])).values()];
}

const gathers = (need: Need, axis: string): boolean => need.ref.gather === 'all' || need.ref.gather.includes(axis);

/** Axes that a need passes on: not those that it picks or gathers. */
function handedOn(need: Need, item: PlanEntry, axes: Axes): Axes {
  const kept = Object.entries(axes).filter(
    ([axis]) => !need.first && !(axis in need.ref.pick) && !gathers(need, axis) && !item.without.includes(axis),
  );
  return Object.fromEntries(kept);
}

export const picked = (need: Need, variants: readonly Variant[]): readonly Variant[] =>
  variants.filter((variant) => matches(need.ref.pick, variant.axes));

/** Returns the combinations of an item. Inherited axes are joined, crossed with its own and its matrix's, then excluded
 * and included. Null above the limit. */
export function combinations(
  item: PlanEntry,
  needed: readonly (readonly Variant[])[],
  compare: Compare,
): readonly Axes[] | null {
  let rows: readonly Axes[] = [{}];
  for (const [index, need] of item.needs.entries()) {
    if (need.quiet) continue;
    compare(needed[index]!.length);
    rows = join(rows, distinct(needed[index]!.map((variant) => handedOn(need, item, variant.axes))), compare);
  }
  for (const [axis, values] of Object.entries({ ...item.own, ...item.matrix })) {
    if (!item.without.includes(axis))
      rows = join(
        rows,
        values.map((value) => ({ [axis]: value })),
        compare,
      );
  }
  if (rows.length > MOST_COMBINATIONS) return null;
  compare(rows.length * item.exclude.length);
  return distinct([...rows.filter((row) => !item.exclude.some((partial) => matches(partial, row))), ...item.include]);
}

/** A needed variant, and the axes that it passes on. */
export interface Handed {
  readonly variant: Variant;
  readonly axes: Axes;
}

/** Returns a lookup of the variants that each need offers. Computed once for all combinations. */
export const offers = (
  item: PlanEntry,
  needed: readonly (readonly Variant[])[],
): readonly ((axes: Axes) => readonly Handed[])[] =>
  item.needs.map((need, index) => {
    const all = needed[index]!.map((variant) => ({ variant, axes: handedOn(need, item, variant.axes) }));
    return lookup(all, (one) => one.axes);
  });

export function used(need: Need, axes: Axes, near: readonly Handed[]): readonly Variant[] {
  const fitting = near.filter((one) => agree(one.axes, axes)).map(({ variant }) => variant);
  return need.first || need.quiet ? fitting.slice(0, 1) : fitting;
}
