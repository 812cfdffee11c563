import { createHash } from 'node:crypto';
import { gateId, gateName, type GateRules, type VetWords, type VoidApproval } from '../../model/gate.js';
import { canonical } from '../../model/json.js';
import { isDigest } from '../../model/digest.js';
import type { Plan } from '../../model/plan.js';
import { records } from '../../model/run-folder.js';
import { findStep } from '../step/plans.js';
import type { Store } from '../ports.js';
import type { Signatures } from './ports.js';
import { vet } from './vet.js';

/** Looks into the signatures of words at gates, and remembers who said yes to what: a later run tells what became of it. */
export const createVetWords =
  (store: Store, planOf: (digest: string) => Promise<Plan>, signatures: Signatures): VetWords =>
  async ({ plan: digest, run, workflowId, words }) => {
    const plan = await planOf(digest);
    const vetted = [];
    for (const word of words) {
      const rules = findStep<'passGate'>(plan, digest, gateId(word.gate)).params;
      const one = await vet(word, rules, { plan, run }, { store, signatures });
      if (one.ok && word.word === 'approve' && isDigest(word.manifest) && mayCount(one.signer, rules)) {
        const by = word.by ?? one.signer?.names[0] ?? 'somebody';
        const said: VoidApproval = { by, manifest: word.manifest, run };
        const name = createHash('sha256').update(canonical(said)).digest('hex').slice(0, 16);
        await store.create(records.approval(workflowId, gateName(word.gate), name), said);
      }
      vetted.push(one);
    }
    return vetted;
  };

const mayCount = (signer: object | null, { signed }: GateRules): boolean => signer !== null || signed === 'optional';
