import { planTooLarge } from '../../model/errors.js';
import { fail } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import { MOST_STEPS, sharesOf } from '../../model/plan-size.js';

/** Throws PLAN_TOO_LARGE for a plan of more than `MOST_STEPS` steps. */
export function assertPlanSize({ steps }: { readonly steps: readonly { readonly id: StepId }[] }): void {
  if (steps.length > MOST_STEPS) throw fail(planTooLarge(steps.length, sharesOf(steps.map(({ id }) => id))));
}
