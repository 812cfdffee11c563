import { planTooLarge } from '../model/errors.js';
import { fail, type SlipwayFailure } from '../model/failure.js';
import { grouped } from '../model/grouped.js';
import type { Share } from '../model/plan-size.js';
import type { Context } from './context.js';
import type { PlanEntry, Variant } from './stage.js';
import { MOST_COMBINATIONS } from './matrix.js';

/** @param counted false if there are more than `count` */
export function tooMany(count: number, variants: readonly Variant[], context: Context, counted = true): SlipwayFailure {
  const items = [...grouped(variants, ({ item }) => item)].sort(([, a], [, b]) => b.length - a.length);
  const shares = items.map(([{ id }, own]): Share => ({ name: id, steps: own.length, axes: sizesOf(own) }));
  return fail({ ...planTooLarge(count, shares, counted), ...context.at(items[0]![0].path, 'key') });
}

export function tooManyOf(item: PlanEntry, needed: readonly (readonly Variant[])[], context: Context): SlipwayFailure {
  const own = Object.entries({ ...item.own, ...item.matrix }).map(([axis, values]) => [axis, values.length] as const);
  const axes = { ...sizesOf(needed.flat()), ...Object.fromEntries(own) };
  const share = { name: item.id, steps: MOST_COMBINATIONS, axes };
  return fail({ ...planTooLarge(MOST_COMBINATIONS, [share], false), ...context.at(item.path, 'key') });
}

function sizesOf(variants: readonly Variant[]): Share['axes'] {
  const values = new Map<string, Set<string>>();
  for (const { axes } of variants)
    for (const [axis, value] of Object.entries(axes)) values.set(axis, (values.get(axis) ?? new Set()).add(value));
  return Object.fromEntries([...values].map(([axis, all]) => [axis, all.size]));
}
