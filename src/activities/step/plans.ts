import { isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { Store } from '../ports.js';
import { planMissing, stepUnknown } from './errors.js';

const KEPT = 8;

/** Reads plans by digest and keeps the last few parsed: every step of a run asks for the same one. */
export function createPlans(store: Store): (digest: string) => Promise<Plan> {
  const parsed = new Map<string, Promise<Plan>>();
  return (digest) => {
    const reading = parsed.get(digest) ?? readPlan(store, digest);
    parsed.delete(digest);
    parsed.set(digest, reading);
    reading.catch(() => parsed.delete(digest));
    if (parsed.size > KEPT) parsed.delete(parsed.keys().next().value!);
    return reading;
  };
}

async function readPlan(store: Store, digest: string): Promise<Plan> {
  if (!isDigest(digest) || !(await store.has(digest))) throw fail(planMissing(digest));
  const pieces: Uint8Array[] = [];
  for await (const piece of await store.get(digest)) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as Plan;
}

const byId = new WeakMap<Plan, ReadonlyMap<string, Step>>();

export function findStep<K extends KindName>(plan: Plan, digest: string, id: string): StepOf<K> {
  const all = byId.get(plan) ?? new Map(plan.steps.map((one) => [one.id, one]));
  byId.set(plan, all);
  const step = all.get(id);
  if (!step) throw fail(stepUnknown(id, digest));
  return step as unknown as StepOf<K>;
}
