import type { PlanSignatures } from '../../activities/plan/ports.js';
import type { Store } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { isProved, withProof, type Proofs, type Proved } from '../../model/proof.js';
import { records } from '../../model/run-folder.js';
import { problems } from './errors.js';

/** Stores plan signatures as records, made with this home's control key. */
export const createPlanSignatures = (
  store: Pick<Store, 'create' | 'read' | 'setAside'>,
  keys: Proofs,
): PlanSignatures => {
  const holds = (name: string, plan: string, record: Proved<{ readonly plan: string }> | null): boolean =>
    record?.plan === plan && isProved(keys, 'control', name, record);
  return {
    isSigned: async (plan) => {
      const name = records.planSignature(plan);
      return holds(name, plan, await store.read(name));
    },
    sign: async (plan) => {
      const name = records.planSignature(plan);
      const signed = withProof(keys, 'control', name, { plan });
      if (signed.proof === undefined) throw fail(problems.cannotSignPlans());
      const { value } = await store.create(name, signed);
      if (holds(name, plan, value)) return;
      // Another program with write access to the store was first.
      await store.setAside(name, value);
      await store.create(name, signed);
    },
  };
};
