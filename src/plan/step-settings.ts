import { epochFor, isNamedBy } from '../model/epochs.js';
import { prefixOf } from '../model/id-prefixes.js';
import { entryOf } from '../model/ids.js';
import { type Step, poolOf } from '../model/plan.js';
import { testOf } from '../model/tests/outcome.js';
import type { Context } from './context.js';
import { entriesOf } from './entries.js';
import { problems } from './errors.js';

/** Returns the steps with what follows when they failed for good: by their entry, else as the head of the file has it. A
 * step whose failure is tolerated has the reason. */
export function withOnFailure(steps: readonly Step[], context: Context): readonly Step[] {
  const tells = context.release.pipeline !== undefined;
  const { tolerated = {} } = context.facts;
  return steps.map((step) => {
    const [first, name] = step.id.split('/') as [string, string];
    const section = prefixOf(step.id)?.section ?? first;
    const answer = entriesOf(context.release, section)[name]?.onFailure ?? (tells ? 'tell' : 'hold');
    const tolerate =
      step.stage === 'tests'
        ? (tolerated[step.id] ?? tolerated[`tests/${testOf(step).test}`] ?? tolerated[`tests/${name}`])
        : tolerated[step.id];
    return {
      ...step,
      ...(answer !== 'hold' && { onFailure: answer }),
      ...(tolerate !== undefined && { tolerate }),
    };
  });
}

/** Returns the steps with the pool of their entry, where it says `parallel: N`. Steps that serve its variants, such as the
 * preparation of a source, hold no place. A test with a `pool` of its own is a problem. */
export function withParallel(steps: readonly Step[], context: Context): readonly Step[] {
  return steps.map((step) => {
    const name = entryOf(step.id);
    const path = name.split('/');
    const limit = entriesOf(context.release, path[0]!)[path[1]!]?.parallel;
    if (limit === undefined) return step;
    const own = poolOf(step);
    if (own === null) return { ...step, pool: { name, limit } };
    const why = `the test is in the pool ${own.name}, and a step holds places of one pool`;
    context.needsThat([...path, 'parallel'], why, 'Take `parallel` or `pool` away.');
    return step;
  });
}

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
