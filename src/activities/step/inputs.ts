import { fail } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { KindName } from '../../model/kinds.js';
import type { Result } from '../../model/result.js';
import type { Rounds } from '../../model/rounds.js';
import type { Store } from '../ports.js';
import type { Toolchain } from '../work.js';
import { inputMissing } from './errors.js';

export interface Inputs {
  readonly inputs: readonly Result[];
  readonly toolchain: Toolchain | null;
  readonly epoch: string | null;
}

/** What earlier steps of the run left for this one. A wanted step without a result was skipped or dropped. */
export async function readInputs(store: Store, plan: Plan, rounds: Rounds, step: StepOf<KindName>): Promise<Inputs> {
  const resultOf = (id: string): Promise<Result | null> => store.read<Result>(rounds.result(id));
  const required = async (id: string): Promise<Result> => {
    const result = await resultOf(id);
    if (result === null) throw fail(inputMissing(step.id, id));
    return result;
  };
  const needs = await Promise.all(step.needs.map(required));
  const wants = await Promise.all(step.wants.map(resultOf));
  return {
    inputs: [...needs, ...wants.filter((result) => result !== null)],
    toolchain: step.toolchain === null ? null : toolchainOf((await required(step.toolchain)).facts),
    epoch: await sourceEpoch(plan, step, resultOf),
  };
}

function toolchainOf(facts: JsonObject): Toolchain {
  const table = (name: string): Record<string, string> => (facts[name] ?? {}) as Record<string, string>;
  return { digest: String(facts['toolchain']), tools: table('tools'), pythons: table('pythons') };
}

/** A release has one source: its time is the time of everything made from it. What does not stand on the source has no
 * such time: whether the source is there already would be chance. */
async function sourceEpoch(
  plan: Plan,
  step: StepOf<KindName>,
  resultOf: (id: string) => Promise<Result | null>,
): Promise<string | null> {
  const source = plan.steps.find(({ kind }) => kind === 'fetchSource');
  if (!source || !standsOn(plan, step, source.id)) return null;
  const epoch = (await resultOf(source.id))?.facts['epoch'];
  return epoch === undefined || epoch === null ? null : String(epoch);
}

/** Whether a step waits for another to succeed, directly or through others. */
function standsOn(plan: Plan, step: Pick<Step, 'needs' | 'wants'>, id: string): boolean {
  const byId = new Map(plan.steps.map((one) => [one.id, one]));
  const seen = new Set([...step.needs, ...step.wants]);
  for (const next of seen) {
    if (next === id) return true;
    for (const more of [...(byId.get(next)?.needs ?? []), ...(byId.get(next)?.wants ?? [])]) seen.add(more);
  }
  return false;
}
