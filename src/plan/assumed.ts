import { fail } from '../model/failure.js';
import { makesOf } from '../model/id-prefixes.js';
import type { StepId } from '../model/ids.js';
import type { AssumedDone } from '../model/plan.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import type { Context } from './context.js';
import { problems } from './errors.js';
import { BARE, type Need, type PlanEntry, type Variant } from './plan-entry.js';
import { testEntry } from './stages/tests.js';

/** A test that --only, --where or `where` left out. It counts as done for entries that need it. */
export interface Assumable {
  readonly because: string;
  /** Null if it was never made: an importer left it out. */
  readonly test: ReleaseFile['tests'][string] | null;
}

/** Adds left-out tests that other entries need, so that those keep their axes. Complains about an entry that would read
 * their files. */
export function withAssumed(items: ReadonlyMap<string, PlanEntry>, context: Context): ReadonlyMap<string, PlanEntry> {
  const all = new Map(items);
  for (const item of all.values())
    for (const { ref, path } of item.needs) {
      const left = items.has(ref.id) ? null : context.assumable(ref.id);
      if (left === null) continue;
      if (makesOf(item.id) !== 'tests' && keepsFiles(left))
        context.complain(problems.assumedKeeps(context.at(path), item.id, ref.id, left.because));
      if (!all.has(ref.id)) all.set(ref.id, entryOf(ref.id, left, context));
    }
  return all;
}

/** Returns the tests that count as done, and the entries that need them. */
export function assumedIn(variants: readonly Variant[], context: Context): readonly AssumedDone[] {
  const found = new Map<StepId, Set<StepId>>();
  for (const { item } of variants)
    for (const { ref } of item.needs)
      if (context.assumable(ref.id) !== null) found.set(ref.id, (found.get(ref.id) ?? new Set<StepId>()).add(item.id));
  return [...found]
    .map(([id, by]) => ({ id, because: context.assumable(id)!.because, neededBy: [...by].sort() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function keepsFiles({ test }: Assumable): boolean {
  if (test === null || 'import' in test) return true;
  return test.result !== undefined || ('cluster' in test ? test.artifact !== undefined : test.artifacts.length > 0);
}

function entryOf(id: StepId, { test, because }: Assumable, context: Context): PlanEntry {
  const name = id.slice('tests/'.length);
  const entry = test === null ? null : testEntry(name, test, context);
  if (entry === null) return { ...BARE, id, path: ['tests', name], needs: [], make: notMade, assumed: because };
  // Its base and its image may not be planned. They hand on no axis that its other needs lack.
  const isPlanned = ({ quiet, ref }: Need): boolean => quiet !== true && makesOf(ref.id) !== 'images';
  return { ...entry, needs: entry.needs.filter(isPlanned), assumed: because };
}

const notMade = ({ id }: Variant): never => {
  throw fail({
    code: 'PLAN_MAKES_ASSUMED',
    class: 'bug',
    message: `${id} is assumed done, and a step was to be made of it`,
    next: 'Report this with the release file: the planner must not make such a step.',
  });
};
