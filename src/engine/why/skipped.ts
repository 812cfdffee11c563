import type { StepId } from '../../model/ids.js';
import type { StepStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';

export interface Link {
  readonly step: StepId;
  readonly because?: string;
}

/** Returns the chain from a skipped step to its cause, each because of the next. */
export function chainDown(id: StepId, plan: Plan, stands: ReadonlyMap<StepId, StepStatus>): readonly Link[] {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const dropped = new Set(plan.dropped.map((one) => one.id));
  const gone = (one: StepId): boolean =>
    dropped.has(one) || ['failed', 'skipped', 'cancelled', 'held'].includes(stands.get(one)?.state ?? '');
  const chain = new Set([id]);
  for (let at = steps.get(id); at !== undefined;) {
    const below = [...at.needs, ...at.wants].filter((one) => gone(one) && !chain.has(one));
    const next = below.find((one) => stands.get(one)?.state === 'failed') ?? below[0];
    if (next === undefined) break;
    chain.add(next);
    at = steps.get(next);
  }
  const whys = new Map(plan.dropped.map((one) => [one.id, one.because]));
  return [...chain].map((step) => {
    const because = whyOf(stands.get(step)) ?? whys.get(step);
    return { step, ...(because !== undefined && { because }) };
  });
}

const whyOf = (stand: StepStatus | undefined): string | undefined =>
  stand?.problems?.[0] === undefined ? stand?.because : `${stand.problems[0].code}: ${stand.problems[0].message}`;
