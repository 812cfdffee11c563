import type { StepOf } from '../../model/plan.js';
import { keysOf } from '../gates/keys.js';
import type { Signatures } from '../gates/ports.js';
import { approvalsTaken, type ApprovalWork } from '../gates/taken.js';

export interface Signed {
  readonly by: string;
  readonly fingerprint: string;
  /** End of its validity as its signer set it; null is never. */
  readonly untilMs: number | null;
  /** When the run accepted it. */
  readonly atMs: number;
}

/** Returns signed approvals at a gate without those before a rejection, the last of each key. Each signature is
 * verified again. */
export async function signedAt(
  work: ApprovalWork,
  gate: StepOf<'passGate'>,
  signatures: Signatures,
): Promise<readonly Signed[]> {
  const keys = await keysOf(gate.params, work.plan, work.store);
  const taken = await approvalsTaken(work, gate.params.gate, keys, signatures);
  const byKey = taken.flatMap(({ action, signer, atMs }): readonly (readonly [string, Signed])[] => {
    if (signer === null) return [];
    const { fingerprint, names } = signer;
    const untilMs = action.expires === undefined ? null : Date.parse(action.expires);
    return [[fingerprint, { by: action.by ?? names[0] ?? fingerprint, fingerprint, untilMs, atMs }]];
  });
  return [...new Map(byKey).values()];
}
