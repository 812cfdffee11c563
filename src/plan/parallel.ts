import { entryOf } from '../model/ids.js';
import { poolOf, type Step } from '../model/plan.js';
import { entriesOf } from './entries.js';
import type { Context } from './context.js';

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
