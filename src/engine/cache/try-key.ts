import { digestOf, type Digest, type Hash } from '../../model/digest.js';
import { KINDS } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import { stepsOf } from '../../model/sources.js';

/** Parameters that change no build. `sameAs` decides only whether there is one. */
const IDLE: ReadonlySet<string> = new Set(['accept', 'again', 'commit', 'everywhere', 'retryFailedMs', 'sameAs']);

/** Returns the digest of what a plan says about the build of a wheel: its source, recipe, Python, base and epochs. Plans
 * of different days give the same build the same key, so that its failure is remembered. */
export function tryKey(plan: Plan, { kind, params, epoch, needs }: StepOf<'buildWheel'>, hash: Hash): Digest {
  const steps = stepsOf(plan);
  const recipe = Object.fromEntries(Object.entries(params).filter(([key]) => !IDLE.has(key)));
  const from = needs.map((id) => ({ id, params: steps.get(id)?.params ?? null, epoch: steps.get(id)?.epoch ?? 0 }));
  return digestOf({ kind, epoch: KINDS[kind].epoch, raised: epoch ?? 0, recipe, from }, hash);
}
