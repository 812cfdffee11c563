import { digestOf, type Digest, type Hash } from '../../model/digest.js';
import { cacheOf, KINDS } from '../../model/kinds.js';
import type { Plan } from '../../model/plan.js';

/** Digest of a plan apart from its label. Null if a step asks the world or acts on it: such a plan always has something
 * to do. */
export function samenessOf(plan: Plan, hash: Hash): Digest | null {
  const isDecided = plan.steps.every((step) => cacheOf(step) === 'pure' || KINDS[step.kind].idle === 'always');
  return isDecided ? digestOf({ ...plan, release: { name: plan.release.name } }, hash) : null;
}

/** Returns why a plan of wheel lists has nothing to do, with the verdicts about what they want. Null if it has something to do. */
export function nothingToDo({ imports, steps, dropped }: Plan): string | null {
  const isOfLists =
    imports !== undefined && imports.of.length > 0 && imports.of.every(({ from }) => from === 'wheel-list');
  if (!isOfLists || dropped.length > 0 || steps.some(({ kind }) => KINDS[kind].idle === 'never')) return null;
  const counts = new Map<string, number>();
  for (const one of imports!.of)
    for (const [verdict, count] of Object.entries(one.counts)) counts.set(verdict, (counts.get(verdict) ?? 0) + count);
  return [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
}
