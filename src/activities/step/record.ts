import type { Plan } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { layOut } from './lay-out.js';
import type { StepContext } from './ports.js';

/** Writes the run's record of a result and returns the record that is final: the first one. It is written last, once
 * everything that it names is stored. */
export async function record(
  around: Pick<StepContext, 'layout' | 'store'>,
  plan: Plan,
  name: string,
  result: Result,
): Promise<Result> {
  const findings = await layOut(around.layout(plan.release.name), plan, result);
  const mine = { ...result, findings: [...result.findings, ...findings] };
  return (await around.store.create(name, mine)).value;
}
