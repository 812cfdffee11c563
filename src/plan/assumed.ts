import { fail } from '../model/failure.js';
import { makesOf } from '../model/id-prefixes.js';
import type { StepId } from '../model/ids.js';
import type { AssumedDone } from '../model/plan.js';
import type { Context } from './context.js';
import { entriesOf } from './entries.js';
import { problems } from './errors.js';
import { BARE, type Need, type PlanEntry, type PlannedStep, type Variant } from './stage.js';

/** Returns all items, with those of left-out entries as assumed done: what needs them keeps its axes. Adds needed entries that
 * imports left out. Complains about an entry that would read files of a left-out one. */
export function withAssumed(items: ReadonlyMap<string, PlanEntry>, context: Context): ReadonlyMap<string, PlanEntry> {
  // Its base and its image may not be planned. They hand on no axis that its other needs lack.
  const isPlanned = ({ quiet, ref: { id } }: Need): boolean =>
    quiet !== true && (items.has(id) || context.assumable(id) !== null || makesOf(id) !== 'images');
  const all = new Map(
    [...items].map(([id, item]) => {
      // Its preparation, signatures and base stand below its path.
      const assumed = context.assumable(item.path.slice(0, 2).join('/'));
      const left = { needs: item.needs.filter(isPlanned), leaveOut: () => null, make: notMade };
      return [id, assumed === null ? item : { ...item, ...left, assumed }];
    }),
  );
  for (const item of all.values())
    for (const { ref, path } of item.needs) {
      const assumed = context.assumable(ref.id);
      if (assumed === null) continue;
      if (item.assumed === undefined && !runsWithout(item, context) && readsFiles(item, ref.id, context))
        context.complain(problems.assumedKeeps(context.at(path), item.id, ref.id, assumed, context.facts.given));
      if (!all.has(ref.id))
        all.set(ref.id, { ...BARE, id: ref.id, path: ref.id.split('/'), needs: [], make: notMade, assumed });
    }
  return all;
}

/** Returns what `--skip`, `--only` and `when` leave out, and what imports left out and others need; each with the entries that
 * need it. */
export function assumedIn(variants: readonly Variant[], context: Context): readonly AssumedDone[] {
  const found = new Map(Object.keys(context.assumed).map((id) => [id, new Set<StepId>()]));
  for (const { item } of variants)
    for (const { ref } of item.needs)
      if (context.assumable(ref.id) !== null) found.set(ref.id, (found.get(ref.id) ?? new Set<StepId>()).add(item.id));
  return [...found]
    .map(([id, by]) => ({ id, because: context.assumable(id)!, neededBy: [...by].sort() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Makes each step wait for what its left-out needs would have waited for. */
export function behindAssumed(drafts: readonly PlannedStep[], variants: readonly Variant[]): readonly PlannedStep[] {
  const behind = new Map(variants.map((one) => [one.id, one.behind]));
  const made = new Set(drafts.map(({ step }) => step.id));
  return drafts.map((draft) => {
    const { step } = draft;
    const ids = (behind.get(step.id) ?? [])
      .map(({ id }) => id)
      .filter((id) => made.has(id) && !step.needs.includes(id));
    return ids.length === 0 ? draft : { ...draft, step: { ...step, wants: [...new Set([...step.wants, ...ids])] } };
  });
}

/** Whether an item would read files of an entry that is left out. Tests read no files of other tests. */
export const readsFiles = ({ id }: PlanEntry, left: StepId, context: Context): boolean =>
  !(makesOf(id) === 'tests' && makesOf(left) === 'tests') && keepsFiles(left, context);

/** Whether an item runs without files of others. */
const runsWithout = ({ path: [section = '', name = ''] }: PlanEntry, { release }: Context): boolean =>
  entriesOf(release, String(section))[name]?.inputs === 'optional';

function keepsFiles(id: StepId, { release }: Context): boolean {
  const [section = '', name = ''] = id.split('/');
  const entry = entriesOf(release, section)[name];
  // An import left it out, and nothing is known of it.
  if (entry === undefined || !['tests', 'inputs'].includes(makesOf(id))) return true;
  const { outputs = [], artifacts = [], result, artifact } = entry;
  return outputs.length + artifacts.length > 0 || result !== undefined || artifact !== undefined;
}

const notMade = ({ id }: Variant): never => {
  throw fail({
    code: 'PLAN_MAKES_ASSUMED',
    class: 'bug',
    message: `${id} is assumed done, and a step was to be made of it`,
    next: 'Report this with the release file: the planner must not make such a step.',
  });
};
