import type { Edge, Flag, Spec } from './spec.js';
import { commonTargets } from './targets.js';
import { mergedVariant, variantsIntersect, variantsSatisfy } from './variants.js';
import { commonRanges, rangesWithin } from './versions.js';

const differ = (a: string | null, b: string | null): boolean => a !== null && b !== null && a !== b;
const lacks = (a: string | null, b: string | null): boolean => b !== null && a !== b;

/** Packages of compilers that had another name before they were packages. */
const PACKAGES: Readonly<Record<string, string>> = {
  ...{ clang: 'llvm', oneapi: 'intel-oneapi-compilers', rocmcc: 'llvm-amdgpu' },
  ...{ intel: 'intel-oneapi-compilers-classic', arm: 'acfl' },
};
/** Name of the package of a compiler. */
export const packageOf = (compiler: string): string =>
  Object.hasOwn(PACKAGES, compiler) ? PACKAGES[compiler]! : compiler;

const nameOf = ({ isDirect, spec: { name } }: Edge): string | null => (isDirect && name ? packageOf(name) : name);

/** Whether each build that `a` describes is one that `b` describes. Virtual packages are known by the edges that name them. */
export function satisfies(a: Spec, b: Spec): boolean {
  return (
    !differ(a.name, b.name) &&
    !differ(a.namespace, b.namespace) &&
    (b.hash === null || a.hash?.startsWith(b.hash) === true) &&
    (b.versions === null || (a.versions !== null && rangesWithin(a.versions, b.versions))) &&
    variantsSatisfy(a, b) &&
    !lacks(a.platform, b.platform) &&
    !lacks(a.os, b.os) &&
    (b.targets === null || (a.targets !== null && commonTargets(a.targets, b.targets).length > 0)) &&
    [...b.flags].every(([key, flags]) => hasFlags(a.flags.get(key) ?? [], flags)) &&
    b.edges.every((edge) => edgeSatisfied(a, edge))
  );
}

const hasFlags = (some: readonly Flag[], wanted: readonly Flag[]): boolean =>
  wanted.every(({ text }) => some.some((one) => one.text === text));

/** Whether a dependency of `a` is what an edge describes. The edges below the edge are those of its own node. */
function edgeSatisfied(a: Spec, wanted: Edge): boolean {
  const candidates = wanted.isDirect ? a.edges.filter(({ isDirect }) => isDirect) : allEdges(a);
  return candidates.some(
    (edge) =>
      (nameOf(edge) === nameOf(wanted) || edge.virtuals.includes(wanted.spec.name ?? '')) &&
      (wanted.virtuals.length === 0 || wanted.virtuals.some((one) => edge.virtuals.includes(one))) &&
      satisfies({ ...edge.spec, name: null }, { ...wanted.spec, name: null }),
  );
}

/** Edges below a spec. Specs of a lock share what is below them, so each node is visited once. */
function allEdges(spec: Spec, seen = new Set<Spec>()): readonly Edge[] {
  if (seen.has(spec)) return [];
  seen.add(spec);
  return spec.edges.flatMap((edge) => [edge, ...allEdges(edge.spec, seen)]);
}

/** Whether some build is what both describe. */
export function intersects(a: Spec, b: Spec): boolean {
  return (
    !differ(a.name, b.name) &&
    !differ(a.namespace, b.namespace) &&
    (a.hash === null || b.hash === null || a.hash.startsWith(b.hash) || b.hash.startsWith(a.hash)) &&
    (a.versions === null || b.versions === null || commonRanges(a.versions, b.versions).length > 0) &&
    [...b.variants].every(([key, one]) => !a.variants.has(key) || variantsIntersect(a.variants.get(key)!, one)) &&
    !differ(a.platform, b.platform) &&
    !differ(a.os, b.os) &&
    (a.targets === null || b.targets === null || commonTargets(a.targets, b.targets).length > 0) &&
    b.edges.every((edge) =>
      a.edges.every((own) => nameOf(own) !== nameOf(edge) || intersects(own.spec, { ...edge.spec, name: null })),
    )
  );
}

/** Returns a spec that describes what both describe. Null if nothing is. */
export function merged(a: Spec, b: Spec): Spec | null {
  if (!intersects(a, b)) return null;
  const variants = new Map(a.variants);
  for (const [key, one] of b.variants)
    variants.set(key, variants.has(key) ? mergedVariant(variants.get(key)!, one) : one);
  const flags = new Map(a.flags);
  for (const [key, some] of b.flags) flags.set(key, mergedFlags(flags.get(key) ?? [], some));
  return {
    ...{ name: a.name ?? b.name, namespace: a.namespace ?? b.namespace },
    versions: a.versions && b.versions ? commonRanges(a.versions, b.versions) : (a.versions ?? b.versions),
    ...{ variants, flags, platform: a.platform ?? b.platform, os: a.os ?? b.os },
    targets: a.targets && b.targets ? commonTargets(a.targets, b.targets) : (a.targets ?? b.targets),
    hash: longer(a.hash, b.hash),
    edges: b.edges.reduce(withEdge, a.edges),
  };
}

const longer = (a: string | null, b: string | null): string | null => ((a?.length ?? 0) > (b?.length ?? 0) ? a : b);

/** A flag that one of both does not hand on is not handed on. */
function mergedFlags(some: readonly Flag[], others: readonly Flag[]): readonly Flag[] {
  const own = some.map((flag) => others.find(({ text, propagates }) => text === flag.text && !propagates) ?? flag);
  return [...own, ...others.filter(({ text }) => some.every((flag) => flag.text !== text))];
}

function withEdge(edges: readonly Edge[], edge: Edge): readonly Edge[] {
  const at = edges.findIndex((own) => nameOf(own) === nameOf(edge));
  const own = edges[at];
  const spec = own && merged(own.spec, { ...edge.spec, name: null });
  if (own === undefined || !spec) return [...edges, edge];
  const virtuals = [...new Set([...own.virtuals, ...edge.virtuals])].sort();
  return edges.with(at, { ...own, isDirect: own.isDirect || edge.isDirect, virtuals, spec });
}
