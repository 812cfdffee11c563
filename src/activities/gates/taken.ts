import { approvalText, gateName, type GateWord, type Signer } from '../../model/gate.js';
import { isGateWord } from '../../model/words.js';
import { wordsSaid } from '../step/words-said.js';
import type { Work } from '../work.js';
import type { ListedKey } from './keys.js';
import type { Signatures } from './ports.js';
import { scopeOf, vet } from './vet.js';

/** The attempt of a step behind the seal. `Work` is one. */
export type ApprovalWork = Pick<Work, 'address' | 'openings' | 'plan' | 'run' | 'sealed' | 'store'>;

/** An approval that the run took. */
export interface TakenApproval {
  readonly word: GateWord;
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
  for (const { said, answer, at } of await wordsSaid(work)) {
    if (!answer.ok || 'payload' in said || !isGateWord(said) || gateName(said.gate) !== gate) continue;
    if (said.word === 'reject') taken = [];
    if (said.word !== 'approve' || said.manifest !== sealed) continue;
    const vetted = await vet(said, keys, scope, signatures);
    if (vetted.ok) taken = [...taken, { word: said, text: approvalText(said, scope), signer: vetted.signer, atMs: at }];
  }
  return taken;
}
