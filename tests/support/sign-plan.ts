import { join } from 'node:path';
import type { PlanSignatures } from '../../src/activities/plan/ports.js';
import { createPlanSignatures } from '../../src/adapters/facts/plan-signatures.js';
import { makeHomeKeys } from '../../src/adapters/home-keys/make.js';
import { openHomeKeys } from '../../src/adapters/home-keys/open.js';
import type { Digest } from '../../src/model/digest.js';
import type { Store } from '../../src/activities/ports.js';

/** For suites that are about something else than who made a plan. */
export const fakeSignatures: PlanSignatures = { sign: async () => undefined, isSigned: async () => true };

/** The keys of a home. */
export function signaturesOf(home: string, store: Store): PlanSignatures {
  const keys = join(home, 'keys');
  makeHomeKeys(keys);
  return createPlanSignatures(store, openHomeKeys(keys));
}

/** Signs a plan that a suite put into a store by itself, as `slipway run` in that home would. */
export const signPlan = (home: string, store: Store, plan: Digest): Promise<void> =>
  signaturesOf(home, store).sign(plan);
