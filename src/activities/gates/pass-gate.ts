import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { approved, counting } from '../../engine/gates/gate-rules.js';
import type { Artifact } from '../../model/artifact.js';
import { counted } from '../../model/counted.js';
import { fail } from '../../model/failure.js';
import type { Approval, GateRules } from '../../model/gate.js';
import { readSealed } from '../seal/sealed.js';
import type { Body, Work } from '../work.js';
import { notApproved } from './errors.js';
import { keysOf } from './keys.js';
import type { Signatures } from './ports.js';
import { approvalsTaken, type TakenApproval } from './taken.js';

/** Verifies the gate's approvals again from the audit, and keeps them as its result. */
export const createPassGate =
  ({ signatures }: { readonly signatures: Signatures }): Body<'passGate'> =>
  async (work) => {
    const rules = work.step.params;
    const { digest: manifest } = await readSealed(work);
    const taken = await takenIn(work, signatures);
    const approvals = approvalsOf(taken, rules);
    const { rehearsal } = work.plan.profile;
    if (approvals.length < rules.quorum && !rehearsal)
      throw fail(notApproved(rules.gate, approvals.length, rules.quorum));
    const facts = approvals.map(({ by, signer }) => ({
      by,
      key: signer?.fingerprint ?? null,
      group: signer?.group ?? null,
    }));
    const artifacts = await keepSigned(work, taken);
    return { artifacts, facts: { manifest, approvals: facts }, note: noteOf(rules, approvals, rehearsal) };
  };

function noteOf(rules: GateRules, approvals: readonly Approval[], rehearsal: boolean): string {
  if (rehearsal && approvals.length < Math.max(1, rules.quorum))
    return `passed without a wait: a rehearsal; live it takes ${takes(rules)}`;
  if (approvals.length === 0) return 'its time is over';
  const names = approvals.map(({ by, signer }) => `${by} (${signer?.group ?? 'unverified'})`);
  return `approved by ${names.join(', ')}`;
}

const takes = ({ quorum, soakMs }: GateRules): string =>
  [...(quorum > 0 ? [counted(quorum, 'approval')] : []), ...(soakMs > 0 ? [`${soakMs / 60_000} min`] : [])].join(
    ' and ',
  ) || 'nothing';

const takenIn = async (work: Work<'passGate'>, signatures: Signatures): Promise<readonly TakenApproval[]> =>
  approvalsTaken(work, work.step.params.gate, await keysOf(work.step.params, work.plan, work.store), signatures);

/** Returns approvals by different keys. Expiry was checked when the gate passed, so approvals do not expire here. */
function approvalsOf(taken: readonly TakenApproval[], { signed }: GateRules): readonly Approval[] {
  const counted = taken
    .filter(({ signer }) => signer !== null || signed === 'optional')
    .map(({ action, signer, atMs }) => ({
      by: action.by ?? signer?.names[0] ?? 'somebody',
      signer,
      atMs,
      untilMs: Infinity,
    }))
    .reduce(approved, { approvals: [] as readonly Approval[] });
  return counting(counted, 0);
}

/** Keeps signed texts with their signatures, so that `slipway verify` needs no store and no audit. */
async function keepSigned(work: Work<'passGate'>, taken: readonly TakenApproval[]): Promise<readonly Artifact[]> {
  const lines = taken.flatMap(({ action: { signature }, text }) =>
    signature === undefined ? [] : [`${JSON.stringify({ text, signature: `${signature}\n` })}\n`],
  );
  if (lines.length === 0) return [];
  const path = join(work.folder, `${work.step.params.gate}.approvals.jsonl`);
  await writeFile(path, lines.join(''));
  return [await work.keep(path, 'file')];
}
