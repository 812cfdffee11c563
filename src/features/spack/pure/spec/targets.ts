import { refuse } from '../refusal.js';

/** CPU targets and their parents, as archspec has them: https://github.com/archspec/archspec-json */
const TABLE = `
x86_64; x86_64_v2 x86_64; x86_64_v3 x86_64_v2; x86_64_v4 x86_64_v3
nocona x86_64; core2 nocona; nehalem core2 x86_64_v2; westmere nehalem; sandybridge westmere; ivybridge sandybridge
haswell ivybridge x86_64_v3; broadwell haswell; skylake broadwell; mic_knl broadwell; skylake_avx512 skylake x86_64_v4
cannonlake skylake; cascadelake skylake_avx512; icelake cascadelake cannonlake; sapphirerapids icelake
k10 x86_64; bulldozer x86_64_v2; piledriver bulldozer; steamroller piledriver; excavator steamroller x86_64_v3
zen x86_64_v3; zen2 zen; zen3 zen2; zen4 zen3 x86_64_v4; zen5 zen4
ppc64le; power8le ppc64le; power9le power8le; power10le power9le
aarch64; armv8.1a aarch64; armv8.2a armv8.1a; armv8.3a armv8.2a; armv8.4a armv8.3a; armv8.5a armv8.4a; armv8.6a armv8.5a
armv9.0a armv8.5a; thunderx2 armv8.1a; a64fx armv8.2a; cortex_a72 aarch64; neoverse_n1 cortex_a72 armv8.2a
neoverse_v1 neoverse_n1 armv8.4a; neoverse_v2 neoverse_n1 armv9.0a; neoverse_n2 neoverse_n1 armv9.0a
m1 armv8.4a; m2 m1 armv8.5a; m3 m2 armv8.6a; m4 m3 armv8.6a; riscv64; u74mc riscv64`;

const ANCESTORS = new Map<string, ReadonlySet<string>>();
for (const row of TABLE.split(/[;\n]/)) {
  const [name = '', ...parents] = row.trim().split(' ');
  if (name !== '') ANCESTORS.set(name, new Set([name, ...parents.flatMap((one) => [...ANCESTORS.get(one)!])]));
}

/** A target, or all from one to another. Null: no bound. */
interface TargetRange {
  readonly from: string | null;
  readonly to: string | null;
}
export type Targets = readonly TargetRange[];

const isAtMost = (a: string, b: string): boolean => a === b || ANCESTORS.get(b)?.has(a) === true;

/** Returns the targets that both have. Empty if there are none. */
export const commonTargets = (some: Targets, others: Targets): Targets =>
  some.flatMap((one) => others.flatMap((other) => common(one, other) ?? []));

function common(a: TargetRange, b: TargetRange): TargetRange | null {
  const from = tighter(a.from, b.from, isAtMost);
  const to = tighter(a.to, b.to, (one, other) => isAtMost(other, one));
  if (from === undefined || to === undefined) return null;
  return from !== null && to !== null && !isAtMost(from, to) ? null : { from, to };
}

/** Returns the bound that leaves less. Undefined if the two are not comparable. */
function tighter(a: string | null, b: string | null, leaves: (more: string, less: string) => boolean) {
  if (a === null || b === null) return a ?? b;
  return leaves(a, b) ? b : leaves(b, a) ? a : undefined;
}

/** Reads `x86_64_v3`, `x86_64_v2:`, `:x86_64_v3`, `x86_64,aarch64`. */
export const targetsOf = (text: string): Targets =>
  text.split(',').map((one) => {
    const [from = '', to = from] = one.split(':');
    return { from: from === '' ? null : from, to: to === '' ? null : to };
  });

/** Reads targets as a spec names them. A single name is compared as it is; the ends of a range must be known. */
export function knownTargets(text: string): Targets {
  const targets = targetsOf(text);
  const ends = targets.flatMap(({ from, to }) => (from === to ? [] : [from, to]));
  const strange = ends.find((one) => one !== null && !ANCESTORS.has(one));
  return strange === undefined ? targets : refuse(`the target ${strange} is not known`);
}

export const printTargets = (targets: Targets): string =>
  targets.map(({ from, to }) => (from !== null && from === to ? from : `${from ?? ''}:${to ?? ''}`)).join(',');
