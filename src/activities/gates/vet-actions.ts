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
  approvalText,
  type ApprovalScope,
  type Signer,
} from '../../model/gate.js';
import { type RunId, workflowIdOf } from '../../model/ids.js';
import { canonical } from '../../model/json.js';
import { records } from '../../model/run-folder.js';
import { findStep } from '../step/inputs.js';
import type { Store } from '../ports.js';
import { targetsMoved, keyNotListed, signatureBad } from './errors.js';
import { keysOf, type ListedKey } from './keys.js';
import type { GatePorts, Signatures } from './ports.js';
import { sha256 } from '../sha256.js';
import { targetsOf } from '../../engine/gates/targets.js';
import { headOf, type Plan } from '../../model/plan.js';

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

/** Builds the part of a signed text that this worker knows itself, so that no caller can change it.
 * @param nonce of the gate's opening
 * @param resolve address of a `service:NAME`, or the address itself */
export const scopeOf = (
  plan: Plan,
  run: RunId,
  nonce: string,
  resolve: (address: string) => string,
): ApprovalScope => ({
  workflow: workflowIdOf(headOf(plan)),
  ...{ run, plan: digestOf(plan, sha256), profile: plan.profile.name, nonce, targets: targetsOf(plan, resolve) },
});

/** Verifies an action's signature against the listed keys. The signed text is built from the scope. */
export async function vet(
  action: GateAction,
  listed: readonly ListedKey[],
  scope: ApprovalScope,
  signatures: Signatures,
): Promise<Vetted> {
  if (action.signature === undefined) return { ok: true, signer: null };
  const text = approvalText(action, scope);
  const signature = `${action.signature}\n`;
  const gate = gateName(action.gate);
  const bad: Vetted = { ok: false, problem: signatureBad(gate, action.by ?? 'somebody') };
  const fingerprint = await signatures.signedBy(text, signature);
  if (fingerprint === null) return bad;
  const found = listed.find((key) => key.fingerprint === fingerprint);
  if (found === undefined) {
    const known = listed.map((key) => `${key.key} (${key.fingerprint})`);
    return { ok: false, problem: keyNotListed(gate, fingerprint, known) };
  }
  const { line, ...signer } = found;
  if (!(await signatures.verify(text, signature, line))) return bad;
  return { ok: true, signer: signer satisfies Signer, text: sha256(text) };
}
