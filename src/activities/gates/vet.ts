import { targetsOf } from '../../engine/gates/targets.js';
import {
  approvalText,
  gateName,
  type ApprovalScope,
  type GateAction,
  type Signer,
  type Vetted,
} from '../../model/gate.js';
import { digestOf } from '../../model/digest.js';
import { workflowIdOf, type RunId } from '../../model/ids.js';
import { headOf, type Plan } from '../../model/plan.js';
import { keyNotListed, signatureBad } from './errors.js';
import type { ListedKey } from './keys.js';
import type { Signatures } from './ports.js';
import { sha256 } from '../sha256.js';

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
