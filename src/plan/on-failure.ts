import type { Step } from '../model/plan.js';
import { testOf } from '../model/tests/outcome.js';
import type { Context } from './context.js';

interface Answering {
  readonly onFailure?: 'hold' | 'tell' | 'stop' | undefined;
}

/** Sections of entries whose steps have another name in front. */
const SECTIONS: Readonly<Record<string, string>> = { prepare: 'wheels', signatures: 'jars', verify: 'publish' };

/** Returns the steps with what follows when they failed for good: by their entry, else as the head of the file has it. A
 * step whose failure is tolerated has the reason. */
export function withOnFailure(steps: readonly Step[], context: Context): readonly Step[] {
  const tells = context.release.pipeline !== undefined;
  const { tolerated = {} } = context.facts;
  return steps.map((step) => {
    const [first, name] = step.id.split('/') as [string, string];
    const section = SECTIONS[first] ?? first;
    const entries = (context.release as unknown as Record<string, Record<string, Answering> | undefined>)[section];
    const answer = entries?.[name]?.onFailure ?? (tells ? 'tell' : 'hold');
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
