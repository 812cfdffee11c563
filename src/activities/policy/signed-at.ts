import type { Digest } from '../../model/digest.js';
import { gateId } from '../../model/gate.js';
import type { StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import { isGateWord } from '../../model/words.js';
import type { Signatures } from '../gates/ports.js';
import { vet } from '../gates/vet.js';
import { wordsSaid } from '../step/words-said.js';
import type { Work } from '../work.js';

/** A signed approval of what is sealed, by whatever key. */
export interface Signed {
  readonly by: string;
  readonly fingerprint: string;
  /** When it ends to count, as its signer says; null: never. */
  readonly untilMs: number | null;
}

/** Returns signed approvals at a gate that no later no took back. Each signature is verified anew. */
export async function signedAt(
  work: Pick<Work, 'artifacts' | 'plan' | 'run' | 'store'>,
  gate: StepOf<'passGate'>,
  signatures: Signatures,
): Promise<readonly Signed[]> {
  const manifest = work.artifacts('manifest')[0]?.digest ?? (await sealedIn(work));
  let signed: readonly Signed[] = [];
  for (const { said, answer } of await wordsSaid(work)) {
    if (!answer.ok || 'payload' in said || !isGateWord(said) || gateId(said.gate) !== gate.id) continue;
    if (said.word === 'reject') signed = [];
    if (said.word !== 'approve' || said.manifest !== manifest) continue;
    const vetted = await vet(said, gate.params, work, { store: work.store, signatures });
    if (!vetted.ok || vetted.signer === null) continue;
    const { fingerprint, names } = vetted.signer;
    const untilMs = said.expires === undefined ? null : Date.parse(said.expires);
    const others = signed.filter((one) => one.fingerprint !== fingerprint);
    signed = [...others, { by: said.by ?? names[0] ?? fingerprint, fingerprint, untilMs }];
  }
  return signed;
}

/** Digest of the manifest that this run sealed; null where it sealed none. */
async function sealedIn({ plan, run, store }: Pick<Work, 'plan' | 'run' | 'store'>): Promise<Digest | null> {
  const seal = plan.steps.find(({ kind }) => kind === 'sealManifest');
  const result = seal && (await store.read<Result>((await readRounds(store, run)).result(seal.id)));
  return (result?.facts['manifest'] as Digest | undefined) ?? null;
}
