import type { Plan } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { layOut } from './lay-out.js';
import type { StepContext } from './ports.js';

/** The run's own record of a result: the first one stands, whichever attempt wrote it. Written last, so that what it names
 * is in place. */
export async function record(
  around: Pick<StepContext, 'layout' | 'store'>,
  plan: Plan,
  name: string,
  result: Result,
): Promise<Result> {
  const told = await layOut(around.layout(plan.release.name), plan, result);
  const mine = { ...result, findings: [...result.findings, ...told] };
  return (await around.store.create(name, mine)).value;
}
