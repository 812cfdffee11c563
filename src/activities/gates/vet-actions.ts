import { approvalUsed } from '../../engine/gates/errors.js';
import { digestOf, hexOf, isDigest } from '../../model/digest.js';
import {
  gateId,
  gateName,
  type GateRules,
  type GateAction,
  type Vetted,
  type VetInput,
  type VerifyApprovals,
  type VoidApproval,
} from '../../model/gate.js';
import type { RunId } from '../../model/ids.js';
import { canonical } from '../../model/json.js';
import { records } from '../../model/run-folder.js';
import { findStep } from '../step/plans.js';
import type { Store } from '../ports.js';
import { targetsMoved } from './errors.js';
import { keysOf } from './keys.js';
import type { GatePorts, Signatures } from './ports.js';
import { scopeOf, vet } from './vet.js';
import { sha256 } from '../sha256.js';

/** Verifies the signatures of operators' actions at gates. Each signed text is used up, and each approval is stored for
 * later runs to report. */
export const createVerifyApprovals =
  (ports: GatePorts & { readonly signatures: Signatures }): VerifyApprovals =>
  async (input) => {
    const plan = await ports.planOf(input.plan);
    const vetted: Vetted[] = [];
    for (const [at, action] of input.actions.entries()) {
      const rules = findStep<'passGate'>(plan, input.plan, gateId(action.gate)).params;
      const { opening, no } = input.heard[at]!;
      const scope = scopeOf(plan, input.run, opening.nonce, ports.resolve);
      if (canonical(scope.targets) !== canonical(opening.targets)) {
        vetted.push({ ok: false, problem: targetsMoved(rules.gate, opening.targets, scope.targets) });
        continue;
      }
      const one = await vet(action, await keysOf(rules, plan, ports.store), scope, ports.signatures);
      const counts = one.ok ? await spend(one, { run: input.run, no }, rules.gate, ports.store) : one;
      if (counts.ok) await keepYes(action, rules, counts, input, ports.store);
      vetted.push(counts);
    }
    return vetted;
  };

/** The action that first used a signed text. */
interface Spent {
  readonly run: RunId;
  readonly no: number;
}

/** The same action twice is a second delivery by Temporal. A different action with the same signed text is a replay. */
async function spend(vetted: Vetted & { ok: true }, by: Spent, gate: string, store: Store): Promise<Vetted> {
  const { signer, text } = vetted;
  if (signer === null || text === undefined) return vetted;
  const { value } = await store.create<Spent>(records.spent(sha256(signer.fingerprint), text), by);
  const isOurs = value.run === by.run && value.no === by.no;
  return isOurs ? vetted : { ok: false, problem: approvalUsed(gate) };
}

async function keepYes(
  action: GateAction,
  rules: GateRules,
  { signer }: Vetted & { ok: true },
  { run, workflowId }: Pick<VetInput, 'run' | 'workflowId'>,
  store: Store,
): Promise<void> {
  if (action.action !== 'approve' || !isDigest(action.manifest)) return;
  if (signer === null && rules.signed === 'required') return;
  const by = action.by ?? signer?.names[0] ?? 'somebody';
  const said: VoidApproval = { by, manifest: action.manifest, run };
  const name = hexOf(digestOf(said, sha256)).slice(0, 16);
  await store.create(records.approval(workflowId, gateName(action.gate), name), said);
}
