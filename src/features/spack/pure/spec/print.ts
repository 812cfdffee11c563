import type { Edge, Flag, Spec, Variant } from './spec.js';
import { printTargets } from './targets.js';
import { printRanges } from './versions.js';

/** Prints a spec in Spack's order: name, versions, flags, variants, architecture, hash, dependencies. */
export function printSpec(spec: Spec): string {
  const { name, namespace, versions, platform, os, targets, hash } = spec;
  const [booleans, ...keyed] = printVariants(spec.variants);
  const head = `${namespace === null ? '' : `${namespace}.`}${name ?? ''}${versions === null ? '' : `@${printRanges(versions)}`}`;
  const flags = [...spec.flags].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, some]) => printFlags(key, some));
  const arch = Object.entries({ platform, os, target: targets && printTargets(targets) });
  return [
    ...(flags.length === 0 ? [head + booleans] : [head, ...flags, booleans]),
    ...keyed,
    ...arch.flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`])),
    ...(hash === null ? [] : [`/${hash}`]),
    ...[...spec.edges].sort((a, b) => Number(b.isDirect) - Number(a.isDirect)).map(printEdge),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Returns the boolean variants as one text, and then the others, each by name. */
export function printVariants(all: Spec['variants']): readonly [booleans: string, ...keyed: string[]] {
  const variants = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  const booleans = variants.filter(([, { isBool }]) => isBool).map(([key, one]) => printBoolean(key, one));
  const keyed = variants.filter(([, { isBool }]) => !isBool).map(([key, one]) => printKeyed(key, one));
  return [booleans.join(''), ...keyed];
}

const quoted = (value: string): string => (/^[\w,/.[\]-]+$/.test(value) ? value : `'${value}'`);

const printBoolean = (key: string, { values: [value], propagates }: Variant): string =>
  `${(value === 'true' ? '+' : '~').repeat(propagates ? 2 : 1)}${key}`;

const printKeyed = (key: string, { values, isExact, propagates }: Variant): string =>
  `${key}${isExact ? ':' : ''}${propagates ? '==' : '='}${quoted(values.join(',') || '*')}`;

const printFlags = (key: string, flags: readonly Flag[]): readonly string[] =>
  [false, true].flatMap((propagates) => {
    const some = flags.filter((flag) => flag.propagates === propagates).map(({ text }) => text);
    return some.length === 0 ? [] : [`${key}${propagates ? '==' : '='}${quoted(some.join(' '))}`];
  });

function printEdge({ isDirect, propagates, virtuals, spec }: Edge): string {
  const sign = isDirect ? (propagates ? '%%' : '%') : '^';
  return `${sign}${virtuals.length === 0 ? '' : `${virtuals.join(',')}=`}${printSpec(spec)}`;
}
