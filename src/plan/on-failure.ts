import { prefixOf } from '../model/id-prefixes.js';
import type { Step } from '../model/plan.js';
import { testOf } from '../model/tests/outcome.js';
import { entriesOf } from './entries.js';
import type { Context } from './context.js';

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
