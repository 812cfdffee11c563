import type { Spec, Variant } from './spec.js';

const isEqual = (a: Variant, b: Variant): boolean => a.values.join() === b.values.join();
const hasAll = (a: Variant, b: Variant): boolean => b.values.every((value) => a.values.includes(value));

/** Whether every choice that `a` allows is one that `b` allows. */
export const variantSatisfies = (a: Variant, b: Variant): boolean =>
  b.isExact ? a.isExact && isEqual(a, b) : hasAll(a, b);

export function variantsIntersect(a: Variant, b: Variant): boolean {
  if (a.isExact && b.isExact) return isEqual(a, b);
  return a.isExact ? hasAll(a, b) : b.isExact ? hasAll(b, a) : true;
}

/** Both constraints as one, of two that intersect. */
export const mergedVariant = (a: Variant, b: Variant): Variant => ({
  values: [...new Set([...a.values, ...b.values])].sort(),
  isBool: a.isBool || b.isBool,
  isExact: a.isExact || b.isExact,
  propagates: a.propagates && b.propagates,
});

/** Nodes of a spec, the root first, each once. */
function nodesOf(root: Spec): ReadonlySet<Spec> {
  const nodes = new Set([root]);
  for (const { edges } of nodes) for (const { spec } of edges) nodes.add(spec);
  return nodes;
}

/** Whether the variants that one spec hands on contradict no node of the other. */
const agrees = (propagated: Spec, spec: Spec): boolean =>
  [...propagated.variants]
    .filter(([, { propagates }]) => propagates)
    .every(([key, one]) =>
      [...nodesOf(spec)].every((node) => !node.variants.has(key) || variantSatisfies(node.variants.get(key)!, one)),
    );

export const variantsSatisfy = (a: Spec, b: Spec): boolean =>
  [...b.variants].every(([key, wanted]) => {
    const found = a.variants.get(key);
    return wanted.propagates || (found !== undefined && !found.propagates && variantSatisfies(found, wanted));
  }) &&
  agrees(b, a) &&
  agrees(a, b);
