import type { Plan, Step, StepOf } from '../../model/plan.js';

/** Returns a plan's gate by name. Null if it has none. */
export const gateIn = ({ steps }: Plan, gate: string): StepOf<'passGate'> | null =>
  steps.find((step): step is StepOf<'passGate'> => step.kind === 'passGate' && step.id === `gates/${gate}`) ?? null;

/** Returns whether a step needs a gate, directly or through others. A step that only wants it could run without. */
export function standsBehind(step: Step, gate: string, plan: Plan): boolean {
  const found = gateIn(plan, gate);
  const byId = new Map(plan.steps.map((one) => [one.id, one]));
  const seen = new Set<string>();
  const open = [...step.needs];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === found?.id) return true;
    if (!seen.has(id)) open.push(...(byId.get(id)?.needs ?? []));
    seen.add(id);
  }
  return false;
}
