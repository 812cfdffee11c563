import type { Digest } from '../../model/digest.js';
import { approved, counting, type GateState } from '../../engine/gates.js';
import { fail } from '../../model/failure.js';
import { gateId, type Approval, type GateRules } from '../../model/gate.js';
import { records } from '../../model/run-folder.js';
import { isGateWord, type Audited } from '../../model/words.js';
import type { Body, Work } from '../work.js';
import { notApproved } from './errors.js';
import type { Signatures } from './ports.js';
import { vet } from './vet.js';

/** Runs once the gate has waited enough: looks once more into what the audit says, and keeps it as the gate's result. */
export const createPassGate =
  ({ signatures }: { readonly signatures: Signatures }): Body<'passGate'> =>
  async (work) => {
    const rules = work.step.params;
    const manifest = work.inputs.find(({ kind }) => kind === 'sealManifest')!.facts['manifest'] as Digest;
    const approvals = await approvalsIn(work, manifest, signatures);
    const { rehearsal } = work.plan.profile;
    if (approvals.length < rules.quorum && !rehearsal)
      throw fail(notApproved(rules.gate, approvals.length, rules.quorum));
    const facts = approvals.map(({ by, signer }) => ({
      by,
      key: signer?.fingerprint ?? null,
      group: signer?.group ?? null,
    }));
    return { artifacts: [], facts: { manifest, approvals: facts }, note: noteOf(rules, approvals, rehearsal) };
  };

function noteOf(rules: GateRules, approvals: readonly Approval[], rehearsal: boolean): string {
  if (rehearsal && approvals.length < Math.max(1, rules.quorum))
    return `passed without a wait: a rehearsal; live it takes ${takes(rules)}`;
  if (approvals.length === 0) return 'its time is over';
  const names = approvals.map(({ by, signer }) => `${by} (${signer?.group ?? 'unverified'})`);
  return `approved by ${names.join(', ')}`;
}

const takes = ({ quorum, soakMs }: GateRules): string =>
  [
    ...(quorum > 0 ? [`${quorum} ${quorum === 1 ? 'approval' : 'approvals'}`] : []),
    ...(soakMs > 0 ? [`${soakMs / 60_000} min`] : []),
  ].join(' and ') || 'nothing';

/** Approvals of these bytes that the run took, each key once. Expiry was judged when the gate was passed. */
async function approvalsIn(
  work: Work<'passGate'>,
  manifest: Digest,
  signatures: Signatures,
): Promise<readonly Approval[]> {
  let gate: GateState = { manifest, openedAtMs: 0, approvals: [], void: [], passed: false };
  for (const { said, answer, at } of await audited(work)) {
    if (!answer.ok || 'payload' in said || !isGateWord(said) || gateId(said.gate) !== work.step.id) continue;
    if (said.word === 'reject') gate = { ...gate, approvals: [] };
    if (said.word !== 'approve' || said.manifest !== manifest) continue;
    const vetted = await vet(said, work.step.params, work, { store: work.store, signatures });
    if (!vetted.ok || (vetted.signer === null && work.step.params.signed === 'required')) continue;
    const by = said.by ?? vetted.signer?.names[0] ?? 'somebody';
    gate = approved(gate, { by, signer: vetted.signer, atMs: at, untilMs: Infinity });
  }
  return counting(gate, 0);
}

async function audited({ store, run }: Work<'passGate'>): Promise<readonly Audited[]> {
  const names = await store.list(records.audit(run));
  const all = await Promise.all(names.map((name) => store.read<Audited>(name)));
  return all.filter((one) => one !== null);
}
