import { digestOf, type Digest, type Hash } from '../../model/digest.js';
import { KINDS, type KindName } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import { stepsOf } from '../../model/sources.js';
import { keyParts, without } from './key-parts.js';

/** Parameters that change no build. `sameAs` decides only whether there is one. */
const IDLE = ['accept', 'again', 'commit', 'everywhere', 'sameAs'];
const NOTHING = { inputs: [], toolchain: null, epoch: null };

/** Returns the digest of what a plan says about a build and about what it needs: source, recipe, Python, base, epochs. Plans of
 * different days give the same build the same key, so that its failure is remembered. Proofs are no part of it. */
export function tryKey(plan: Plan, step: StepOf<KindName>, hash: Hash): Digest {
  const steps = stepsOf(plan);
  const { kind, epoch, raised = 0, params } = keyParts(plan, step, NOTHING);
  const from = step.needs
    .map((id) => ({ id, step: steps.get(id) }))
    .filter((need) => need.step === undefined || KINDS[need.step.kind].stage !== 'prove')
    .map(({ id, step: needed }) => ({ id, params: needed?.params ?? null, epoch: needed?.epoch ?? 0 }));
  return digestOf({ kind, epoch, raised, recipe: without(params, IDLE), from }, hash);
}
