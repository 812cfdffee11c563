import { epochFor, isNamedBy } from '../model/epochs.js';
import type { Step } from '../model/plan.js';
import type { Context } from './context.js';
import { problems } from './errors.js';

/** Applies the release file's epochs to steps, by id or by its beginning up to a `/`. The longest match wins. A changed
 * epoch makes the step miss the cache. */
export function withEpochs(steps: readonly Step[], context: Context): readonly Step[] {
  const { epochs = {} } = context.release;
  const ids = steps.map(({ id }) => id);
  for (const name of Object.keys(epochs))
    if (!ids.some((id) => isNamedBy(name, id)) && !context.isBuilt(name))
      context.complain(problems.epochOfNothing(context.at(['epochs', name], 'key'), name, ids));
  if (Object.keys(epochs).length === 0) return steps;
  return steps.map((step) => {
    const epoch = epochFor(step.id, epochs);
    return epoch === undefined ? step : { ...step, epoch };
  });
}
