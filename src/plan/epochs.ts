import type { Step } from '../model/plan.js';
import type { Context } from './context.js';
import { problems } from './errors.js';
import { didYouMean } from '../model/suggest.js';

/** Applies the release file's epochs to steps, by id or by its beginning up to a `/`. The longest match wins. A changed
 * epoch makes the step miss the cache. */
export function withEpochs(steps: readonly Step[], context: Context): readonly Step[] {
  const epochs = Object.entries(context.release.epochs ?? {});
  if (epochs.length === 0) return steps;
  const isOf = (id: string, name: string): boolean =>
    id === name || id.startsWith(name.endsWith('/') ? name : `${name}/`);
  const ids = steps.map(({ id }) => id);
  for (const [name] of epochs)
    if (!ids.some((id) => isOf(id, name)))
      context.complain(problems.epochOfNothing(context.at(['epochs', name], 'key'), name, didYouMean(name, ids)));
  const longestFirst = epochs.toSorted(([a], [b]) => b.length - a.length);
  return steps.map((step) => {
    const epoch = longestFirst.find(([name]) => isOf(step.id, name))?.[1];
    return epoch === undefined ? step : { ...step, epoch };
  });
}
