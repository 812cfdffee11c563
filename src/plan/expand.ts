import { fail } from '../model/failure.js';
import type { Axes } from '../model/ids.js';
import { problems } from './errors.js';
import type { Context } from './context.js';
import type { PlanEntry, Need, Variant } from './stage.js';
import { combinations, type Compare, idOf, matches, MOST_COMBINATIONS, MOST_COMPARISONS } from './matrix.js';
import { offers, picked, used } from './matrix.js';
import { tooMany, tooManyOf } from './too-many.js';

export interface Expanded {
  readonly variants: ReadonlyMap<string, readonly Variant[]>;
  readonly sound: boolean;
}

/** Expands every item to its variants, needed items first. A faulty item becomes a problem and the rest goes on, so
 * that all problems are reported. Depth-first without recursion, because a chain may have 20,000 items. */
export function expandAll(items: ReadonlyMap<string, PlanEntry>, context: Context): Expanded {
  const done = new Map<string, readonly Variant[]>();
  const trail = new Set<string>();
  let [looked, compared] = [0, 0];
  const comparing = (item: PlanEntry) => (count: number) => {
    if ((compared += count) > MOST_COMPARISONS)
      throw fail(problems.tooManyComparisons(context.at(item.path, 'key'), item.id, MOST_COMPARISONS));
  };
  const finish = (item: PlanEntry): void => {
    const needed = item.needs.map((need) => {
      const on = items.get(need.ref.id);
      if (on) return pick(need, done.get(on.id) ?? cycle(on, [...trail], context), context);
      context.complain(
        need.ref.id === context.sourceStep
          ? problems.noSource(context.at(item.path, 'key'), item.id)
          : problems.unknownNeed(context.at(need.path), need.ref.text, items.keys(), need.ref.id),
      );
      return null;
    });
    trail.delete(item.id);
    const sound = needed.every((variants) => variants !== null);
    const variants = sound ? expand(item, needed, context, comparing(item)) : [];
    done.set(item.id, variants);
    if ((looked += variants.length) > MOST_COMBINATIONS)
      throw tooMany(MOST_COMBINATIONS, [...done.values()].flat(), context, false);
  };
  const stack = [...items.keys()].sort().reverse();
  for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
    const item = items.get(id)!;
    if (done.has(id)) stack.pop();
    else if (trail.has(id)) finish(item);
    else {
      trail.add(id);
      for (const { ref } of item.needs.toReversed())
        if (items.has(ref.id) && !done.has(ref.id) && !trail.has(ref.id)) stack.push(ref.id);
    }
  }
  return { variants: done, sound: [...done.values()].every((variants) => variants.length > 0) };
}

/** Returns variants that match a need's picks. A pick that matches none of several is a problem. */
function pick(need: Need, variants: readonly Variant[], context: Context): readonly Variant[] {
  const fitting = picked(need, variants);
  const ids = variants.slice(0, 4).map((one) => one.id);
  const there = `there is ${ids.join(', ')}${variants.length > 4 ? ' …' : ''}`;
  if (variants.length > 0 && fitting.length === 0)
    context.complain(problems.noMatch(context.at(need.path), need.ref.text, there));
  return fitting;
}

function cycle({ id, path }: PlanEntry, trail: readonly string[], context: Context): readonly Variant[] {
  const ids = [...trail.slice(trail.indexOf(id)), id];
  const short = ids.length > 9 ? ids.toSpliced(6, ids.length - 8, '…') : ids;
  context.complain(problems.cycle(context.at(path, 'key'), short));
  return [];
}

function expand(
  item: PlanEntry,
  needed: readonly (readonly Variant[])[],
  context: Context,
  compare: Compare,
): readonly Variant[] {
  if (needed.some((variants) => variants.length === 0)) return [];
  const rows = combinations(item, needed, compare);
  if (rows === null) throw tooManyOf(item, needed, context);
  complainOfIdleExcludes(item, needed, context, compare);
  if (rows.length === 0)
    context.complain(problems.zeroVariants(context.at(item.path, 'key'), whyNone(item), pythonsBeyond(item, context)));
  const offered = offers(item, needed);
  return rows.map((axes) => variant(item, axes, offered, context, compare));
}

/** An exclude without effect is misspelt, and the variant would be published. */
function complainOfIdleExcludes(
  item: PlanEntry,
  needed: readonly (readonly Variant[])[],
  context: Context,
  compare: Compare,
): void {
  if (item.exclude.length === 0) return;
  const rows = combinations({ ...item, exclude: [], include: [] }, needed, compare) ?? [];
  compare(rows.length * item.exclude.length);
  for (const [index, partial] of item.exclude.entries())
    if (!rows.some((row) => matches(partial, row)))
      context.needsThat(
        [...item.path, 'exclude', index],
        `${item.id} has no variant with ${JSON.stringify(partial)}, so "exclude" takes nothing out`,
        'Write the values of a variant as `slipway plan` lists them, or take the line away.',
        'value',
      );
}

/** Pythons of the entry that the release does not have, if it has none of them. */
function pythonsBeyond({ own, matrix }: PlanEntry, { pythons }: Context): readonly string[] {
  const wanted = matrix['python'] ?? own['python'] ?? [];
  return wanted.some((one) => pythons.includes(one)) ? [] : wanted;
}

function whyNone(item: PlanEntry): string {
  const axes = Object.entries({ ...item.own, ...item.matrix }).map(
    ([axis, values]) => `${axis}: [${values.join(', ')}]`,
  );
  const none = Object.entries(item.own).filter(([axis, values]) => values.length === 0 && !(axis in item.matrix));
  if (none.length > 0) return `the file names no ${none.map(([axis]) => `${axis}s`).join(' and no ')}`;
  return item.exclude.length > 0
    ? `exclude takes out every combination of ${axes.join(', ')}`
    : `its needs and ${axes.join(', ') || 'its axes'} have no value in common`;
}

/** Time and memory of one need of one variant, in comparisons. */
const EDGE = 10;

function variant(
  item: PlanEntry,
  axes: Axes,
  offered: ReturnType<typeof offers>,
  context: Context,
  compare: Compare,
): Variant {
  const needs = new Set<Variant>();
  const behind = new Set<Variant>();
  for (const [index, need] of item.needs.entries()) {
    const near = offered[index]!(axes);
    compare(near.length + 1);
    const fitting = used(need, axes, near);
    compare(EDGE * fitting.length);
    if (fitting.length === 0)
      context.complain(problems.noMatch(context.at(need.path), need.ref.text, `none fits ${idOf(item.id, axes)}`));
    for (const one of fitting)
      if (one.item.assumed === undefined) needs.add(one);
      else for (const before of [...one.needs, ...one.behind]) behind.add(before);
  }
  const gone = [...needs].find((one) => one.because !== null);
  const because = item.leaveOut(axes) ?? (gone ? `needs ${gone.id}, which is left out: ${gone.because}` : null);
  return { id: idOf(item.id, axes), item, axes, needs: [...needs], behind: [...behind], because };
}
