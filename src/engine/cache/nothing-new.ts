import { digestOf, type Digest, type Hash } from '../../model/digest.js';
import { cacheOf, KINDS } from '../../model/kinds.js';
import type { Plan } from '../../model/plan.js';

/** Digest of a plan apart from its label. Null if a step asks the world or acts on it: such a plan always has something
 * to do. */
export function samenessOf(plan: Plan, hash: Hash): Digest | null {
  const isDecided = plan.steps.every((step) => cacheOf(step) === 'pure' || KINDS[step.kind].idle === 'always');
  return isDecided ? digestOf({ ...plan, release: { name: plan.release.name } }, hash) : null;
}
