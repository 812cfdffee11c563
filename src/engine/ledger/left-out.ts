import type { StepId } from '../../model/ids.js';
import type { Plan } from '../../model/plan.js';
import type { LeftOut } from '../../model/report.js';
import { whyOf, type Audited } from '../../model/actions.js';

/** Returns the steps that people left out, with the reason. A refused action left nothing out. */
export const skipsIn = (actions: readonly Audited[]): ReadonlyMap<StepId, string> =>
  new Map(
    actions.flatMap(({ sent, answer }) =>
      answer.ok && sent.action === 'skip' && 'step' in sent ? [[sent.step, whyOf(sent)]] : [],
    ),
  );

const toleratedIn = ({ steps }: Plan): Reasons =>
  new Map(
    steps.flatMap(({ id, tolerate }) =>
      tolerate === undefined ? [] : [[id, `it failed, which is tolerated: ${tolerate}`]],
    ),
  );

/** Returns why each of these steps has no result: its failure is tolerated, it was skipped, or it needs such a step. It loops,
 * because a recursion would overflow on a long chain. */
export function leftOut(plan: Plan, ids: readonly StepId[], skips: ReadonlyMap<StepId, string>): readonly LeftOut[] {
  const needs = new Map(plan.steps.map((step) => [step.id, step.needs]));
  const tolerated = toleratedIn(plan);
  const because = (id: StepId): string => reason(id, needs, skips) ?? reason(id, needs, tolerated) ?? 'it was left out';
  return [...ids].sort().map((id) => ({ id, because: because(id) }));
}

type Reasons = ReadonlyMap<StepId, string>;

/** Null if neither the step nor one that it needs has a reason. */
function reason(id: StepId, needs: ReadonlyMap<StepId, readonly StepId[]>, skips: Reasons): string | null {
  const seen = new Set([id]);
  for (const at of seen) {
    const why = skips.get(at);
    if (why !== undefined) return at === id ? why : `needs ${at}, which was left out: ${why}`;
    for (const need of needs.get(at) ?? []) seen.add(need);
  }
  return null;
}
