import { approvalText, gateName, type GateAction, type Signer } from '../../model/gate.js';
import { isGateAction } from '../../model/actions.js';
import { actionsSent } from '../step/actions-sent.js';
import type { Work } from '../work.js';
import type { ListedKey } from './keys.js';
import type { Signatures } from './ports.js';
import { scopeOf, vet } from './vet-actions.js';

/** Context of a step after the seal; `Work` is one. */
export type ApprovalWork = Pick<Work, 'address' | 'openings' | 'plan' | 'run' | 'sealed' | 'store'>;

export interface TakenApproval {
  readonly action: GateAction;
  /** Text that the signature covers. */
  readonly text: string;
  readonly signer: Signer | null;
  /** Time of acceptance in the audit, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Returns approvals of the sealed manifest at the gate's last opening, without those before a rejection. Empty if the
 * gate never opened. Each signature is verified again, with `keys` only. This worker builds the signed text from the
 * history's manifest and nonce and the current addresses. */
export async function approvalsTaken(
  work: ApprovalWork,
  gate: string,
  keys: readonly ListedKey[],
  signatures: Signatures,
): Promise<readonly TakenApproval[]> {
  const { sealed, plan, run } = work;
  const nonce = work.openings[gate];
  if (sealed === null || nonce === undefined) return [];
  const scope = scopeOf(plan, run, nonce, (address) => work.address(address));
  let taken: readonly TakenApproval[] = [];
  for (const { sent, answer, at } of await actionsSent(work)) {
    if (!answer.ok || 'payload' in sent || !isGateAction(sent) || gateName(sent.gate) !== gate) continue;
    if (sent.action === 'reject') taken = [];
    if (sent.action !== 'approve' || sent.manifest !== sealed) continue;
    const vetted = await vet(sent, keys, scope, signatures);
    if (vetted.ok)
      taken = [...taken, { action: sent, text: approvalText(sent, scope), signer: vetted.signer, atMs: at }];
  }
  return taken;
}
