import { grouped } from '../../../model/grouped.js';
import type { LockedSpec } from './lock.js';

const DIGITS = 7;
/** With a dash and 32 digits the name of an entry has at most 80 characters. A prefix takes its part. */
const LONGEST = 47;

/** Names of the entries of specs, by hash: `ncurses-6.4-gccypu6`. Names that are alike have the whole hash. */
export function entryNames(specs: readonly LockedSpec[], prefix?: string): ReadonlyMap<string, string> {
  const before = prefix === undefined ? '' : `${prefix}-`;
  const short = grouped(specs, (spec) => nameOf(before, spec, DIGITS));
  const alone = new Map([...short].flatMap(([name, [spec, ...others]]) => (others.length > 0 ? [] : [[spec, name]])));
  return new Map(specs.map((spec) => [spec.hash, alone.get(spec) ?? nameOf(before, spec, 32)]));
}

function nameOf(before: string, { name, version, hash }: LockedSpec, digits: number): string {
  const readable = `${before}${name}-${version}`.replaceAll(/[^\w.-]/g, '-').replace(/^[_.-]+/, '');
  return `${readable.slice(0, LONGEST)}-${hash.slice(0, digits)}`;
}
