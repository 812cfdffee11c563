import { entryOf, type StepId } from '../model/ids.js';
import type { Context } from './context.js';
import { ownWheel } from './own-wheels.js';
import type { PlannedStep } from './stage.js';

/** Makes all variants of a wheel with `sameAs: first` follow its first variant, however that ends. */
export function withSameAs(drafts: readonly PlannedStep[], { release }: Context): readonly PlannedStep[] {
  const firsts = new Map<string, StepId>();
  return drafts.map((draft): PlannedStep => {
    const { step } = draft;
    const entry = entryOf(step.id);
    const wheel = ownWheel(release, entry.slice('wheels/'.length));
    if (step.kind !== 'buildWheel' || wheel?.sameAs === undefined) return draft;
    const first = firsts.get(entry);
    if (first === undefined) firsts.set(entry, step.id);
    return first === undefined
      ? draft
      : { ...draft, step: { ...step, params: { ...step.params, sameAs: first }, after: [first] } };
  });
}
