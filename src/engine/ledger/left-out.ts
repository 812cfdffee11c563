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

/** Returns why a step has no result: its failure is tolerated, it was skipped, or it needs such a step. Null if nothing
 * explains it. A step with a result explains no other. */
export function whyAbsent(
  plan: Plan,
  done: ReadonlySet<StepId>,
  skips: ReadonlyMap<StepId, string>,
): (id: StepId) => string | null {
  const needs = new Map(plan.steps.map((step) => [step.id, step.needs.filter((need) => !done.has(need))]));
  const tolerated = toleratedIn(plan);
  return (id) => reason(id, needs, skips) ?? reason(id, needs, tolerated);
}

/** Reason of a step that nothing explains. */
export const UNEXPLAINED = 'it was left out';

export const leftOut = (ids: readonly StepId[], why: ReturnType<typeof whyAbsent>): readonly LeftOut[] =>
  [...ids].sort().map((id) => ({ id, because: why(id) ?? UNEXPLAINED }));

type Reasons = ReadonlyMap<StepId, string>;

/** Null if neither the step nor one that it needs has a reason. It loops, because a recursion would overflow on a long
 * chain. */
function reason(id: StepId, needs: ReadonlyMap<StepId, readonly StepId[]>, skips: Reasons): string | null {
  const seen = new Set([id]);
  for (const at of seen) {
    const why = skips.get(at);
    if (why !== undefined) return at === id ? why : `needs ${at}, which was left out: ${why}`;
    for (const need of needs.get(at) ?? []) seen.add(need);
  }
  return null;
}
