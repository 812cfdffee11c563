import type { Lock, LockedSpec } from './lock.js';

/** Specs of a lock that are not built, with the reason. */
export type LeftOut = readonly { readonly spec: LockedSpec; readonly because: string }[];

/** Returns the part of a lock below some of its roots, and the specs that only other roots need.
 * @param isChosen of a root
 * @param because why other roots are left out */
export function below(
  lock: Lock,
  isChosen: (root: Lock['roots'][number]) => boolean,
  because: string,
): { readonly lock: Lock; readonly left: LeftOut } {
  const roots = lock.roots.filter(isChosen);
  if (roots.length === lock.roots.length) return { lock, left: [] };
  const kept = new Set(roots.map(({ hash }) => hash));
  for (const hash of kept) for (const one of lock.specs.get(hash)!.dependencies) kept.add(one);
  const left = [...lock.specs.values()].filter(({ hash }) => !kept.has(hash));
  const specs = new Map([...lock.specs].filter(([hash]) => kept.has(hash)));
  return { lock: { ...lock, roots, specs }, left: left.map((spec) => ({ spec, because })) };
}
