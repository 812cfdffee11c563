import { approvalText, gateName, type GateAction, type Signer } from '../../model/gate.js';
import { isGateAction } from '../../model/actions.js';
import { actionsSent } from '../step/actions-sent.js';
import type { Work } from '../work.js';
import type { ListedKey } from './keys.js';
import type { Signatures } from './ports.js';
import { scopeOf, vet } from './vet.js';

/** The attempt of a step behind the seal. `Work` is one. */
export type ApprovalWork = Pick<Work, 'address' | 'openings' | 'plan' | 'run' | 'sealed' | 'store'>;

/** An approval that the run took. */
export interface TakenApproval {
  readonly action: GateAction;
  /** The text that its signature covers. */
  readonly text: string;
  /** Null if nobody signed it. */
  readonly signer: Signer | null;
  /** When the run took it, as the audit says. */
  readonly atMs: number;
}

/** Returns approvals of the sealed manifest at the last opening of a gate that no later rejection took back. Each signature is verified
 * anew, by these keys alone. This worker makes the signed text: sealed digest and nonce come from the run's history, addresses are
 * those of now. Empty if the gate did not open. */
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
