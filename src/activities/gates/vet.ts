import { approvalText, type GateRules, type GateWord, type Signer, type Vetted } from '../../model/gate.js';
import type { Plan } from '../../model/plan.js';
import { releaseWorkflowId, type RunId } from '../../model/ids.js';
import type { Store } from '../ports.js';
import { keyNotListed, signatureBad } from './errors.js';
import { keysOf } from './keys.js';
import type { Signatures } from './ports.js';

/** Whose word it is. What is signed is made anew from what the run knows: nothing of it is believed. */
export async function vet(
  word: GateWord,
  rules: GateRules,
  { plan, run }: { readonly plan: Plan; readonly run: RunId },
  { store, signatures }: { readonly store: Store; readonly signatures: Signatures },
): Promise<Vetted> {
  if (word.signature === undefined) return { ok: true, signer: null };
  const workflow = releaseWorkflowId(plan.release.name, plan.release.version, plan.profile.rehearsal);
  const text = approvalText(word, { workflow, run, profile: plan.profile.name });
  const signature = `${word.signature}\n`;
  const by = word.by ?? 'somebody';
  const fingerprint = await signatures.signedBy(text, signature);
  if (fingerprint === null) return { ok: false, problem: signatureBad(rules.gate, by) };
  const listed = await keysOf(rules, plan, store);
  const found = listed.find((key) => key.fingerprint === fingerprint);
  if (found === undefined) {
    const known = listed.map((key) => `${key.key} (${key.fingerprint})`);
    return { ok: false, problem: keyNotListed(rules.gate, fingerprint, known) };
  }
  const { line, ...signer } = found;
  if (!(await signatures.verify(text, signature, line))) return { ok: false, problem: signatureBad(rules.gate, by) };
  return { ok: true, signer: signer satisfies Signer };
}
