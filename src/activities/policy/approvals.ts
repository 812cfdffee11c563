import type { Problem } from '../../model/failure.js';
import type { StepOf } from '../../model/plan.js';
import { gateIn } from '../../plan/policy/gate-before.js';
import type { Judgement, NeededGate, PolicyFile } from '../../plan/policy/judge.js';
import { readKey, keysOf } from '../gates/keys.js';
import type { Signatures } from '../gates/ports.js';
import { type ApprovalWork, approvalsTaken } from '../gates/taken.js';
import { approvalsShort } from './errors.js';

interface Signed {
  readonly by: string;
  readonly fingerprint: string;
  /** End of its validity as its signer set it; null is never. */
  readonly untilMs: number | null;
  /** When the run accepted it. */
  readonly atMs: number;
}

/** Returns a problem for each gate of the policy that lacks approvals. An approval counts if it is for the sealed
 * manifest, valid, and by a listed key. */
export async function approvalProblems(
  work: ApprovalWork,
  { gates, row }: Judgement,
  { content, at }: PolicyFile,
  signatures: Signatures,
): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  for (const needed of gates) {
    const signed = await signedAt(work, gateIn(work.plan, needed.gate)!, signatures);
    const keys = fingerprintsOf(needed, content.approvers);
    const judged = signed.map((one) => ({ ...one, why: whyNot(one, keys, content.expires, Date.now()) }));
    const counting = judged.filter(({ why }) => why === null).map(({ by, fingerprint }) => `${by} (${fingerprint})`);
    const others = judged
      .filter(({ why }) => why !== null)
      .map(({ by, fingerprint, why }) => `${by} (${fingerprint}): ${why}`);
    const spot = at(['publish', row!, 'gates', needed.gate], 'key');
    if (counting.length < needed.quorum) found.push(approvalsShort(spot, needed, { counting, others }));
  }
  return found;
}

/** Returns why an approval does not count. Null if it does. */
function whyNot(
  { fingerprint, untilMs, atMs }: Signed,
  keys: ReadonlySet<string>,
  longestMs: number,
  nowMs: number,
): string | null {
  if (!keys.has(fingerprint)) return 'its key is in no group that the policy names';
  if (untilMs === null || untilMs - nowMs > longestMs) return 'it would count for longer than the policy allows';
  if (untilMs <= nowMs) return 'it has expired';
  // A signature for a month would else begin to count when the month is nearly over.
  return nowMs - atMs > longestMs ? 'it was given longer ago than the policy allows' : null;
}

const fingerprintsOf = (
  { groups }: NeededGate,
  approvers: Readonly<Record<string, readonly string[]>>,
): ReadonlySet<string> =>
  new Set(
    groups
      .flatMap((group) => approvers[group] ?? [])
      .map((line) => readKey(line, '', 'a key of the policy').fingerprint),
  );

/** Returns signed approvals at a gate without those before a rejection, the last of each key. Each signature is
 * verified again. */
async function signedAt(
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
