import { isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { PlanSignatures } from '../plan/ports.js';
import type { Store } from '../ports.js';
import { readText } from '../read-text.js';
import { planMissing, planUnsigned, stepUnknown } from './errors.js';

const KEPT = 8;

/** Reads signed plans by digest and caches the last few: all steps of a run read the same plan. Throws PLAN_MISSING or
 * PLAN_NOT_SIGNED. */
export function createPlans(
  store: Store,
  signatures: Pick<PlanSignatures, 'isSigned'>,
): (digest: string) => Promise<Plan> {
  const parsed = new Map<string, Promise<Plan>>();
  return (digest) => {
    const reading = parsed.get(digest) ?? readPlan(digest, store, signatures);
    parsed.delete(digest);
    parsed.set(digest, reading);
    reading.catch(() => parsed.delete(digest));
    if (parsed.size > KEPT) parsed.delete(parsed.keys().next().value!);
    return reading;
  };
}

async function readPlan(digest: string, store: Store, signatures: Pick<PlanSignatures, 'isSigned'>): Promise<Plan> {
  if (!isDigest(digest) || !(await store.has(digest))) throw fail(planMissing(digest));
  if (!(await signatures.isSigned(digest))) throw fail(planUnsigned(digest));
  return JSON.parse(await readText(store, digest)) as Plan;
}

const byId = new WeakMap<Plan, ReadonlyMap<string, Step>>();

export function findStep<K extends KindName>(plan: Plan, digest: string, id: string): StepOf<K> {
  const all = byId.get(plan) ?? new Map(plan.steps.map((one) => [one.id, one]));
  byId.set(plan, all);
  const step = all.get(id);
  if (!step) throw fail(stepUnknown(id, digest));
  return step as unknown as StepOf<K>;
}
