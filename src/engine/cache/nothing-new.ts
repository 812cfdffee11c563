import { digestOf, type Digest, type Hash } from '../../model/digest.js';
import { KINDS } from '../../model/kinds.js';
import type { Plan } from '../../model/plan.js';

/** Kinds that ask the world or act, and yet change nothing if all other steps are known. */
const HARMLESS: readonly string[] = ['proveQueue', 'writeReport'];

/** Digest of a plan apart from its label. Null if a step asks the world or acts on it: such a plan always has something
 * to do. */
export function samenessOf(plan: Plan, hash: Hash): Digest | null {
  const isDecided = plan.steps.every(({ kind }) => KINDS[kind].cache === 'pure' || HARMLESS.includes(kind));
  return isDecided ? digestOf({ ...plan, release: { name: plan.release.name } }, hash) : null;
}
