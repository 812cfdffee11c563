import { order } from '../order.js';
import type { Links } from './index-entry.js';

/** Facts of one ELF file in a wheel, or in a base. */
export interface Linked {
  /** Name of the file without its folder. */
  readonly file: string;
  readonly soname: string | null;
  readonly needed: readonly string[];
  /** Symbol versions by library. */
  readonly requires: Links;
  readonly defines: readonly string[];
}

/** Returns the libraries that files need and none of them is, with the symbol versions. Sorted. */
export function linksOf(files: readonly Linked[]): Links {
  const own = new Set(files.flatMap(({ file, soname }) => [file, ...(soname === null ? [] : [soname])]));
  return byName(
    files.flatMap(({ needed, requires }) =>
      [...needed, ...Object.keys(requires)]
        .filter((name) => !own.has(name))
        .map((name) => [name, versionsIn(requires, name)] as const),
    ),
  );
}

/** Returns the libraries that files are, by soname, with the symbol versions that they define. Sorted. */
export const offersOf = (files: readonly Pick<Linked, 'soname' | 'defines'>[]): Links =>
  byName(files.flatMap(({ soname, defines }) => (soname === null ? [] : [[soname, defines] as const])));

/** Returns what a former base offered and a newer one does not. A library without versions is gone as a whole. */
export function lostBetween(former: Links, now: Links): Links {
  const lost = Object.entries(former).flatMap(([name, versions]): [string, readonly string[]][] => {
    if (!Object.hasOwn(now, name)) return [[name, []]];
    const absent = versions.filter((version) => !now[name]!.includes(version));
    return absent.length === 0 ? [] : [[name, absent]];
  });
  return Object.fromEntries(lost);
}

/** Returns the first thing that a wheel links and a base has lost: `libre2.so.9`, `RE2_9 of libre2.so.9`. Null if there is none. */
export function lostLink(links: Links, lost: Links): string | null {
  for (const [name, versions] of Object.entries(links)) {
    if (!Object.hasOwn(lost, name)) continue;
    const absent = lost[name]!;
    if (absent.length === 0) return name;
    const version = versions.find((one) => absent.includes(one));
    if (version !== undefined) return `${version} of ${name}`;
  }
  return null;
}

const versionsIn = (links: Links, name: string): readonly string[] => (Object.hasOwn(links, name) ? links[name]! : []);

function byName(all: readonly (readonly [string, readonly string[]])[]): Links {
  const found = new Map<string, Set<string>>();
  for (const [name, versions] of all) {
    const known = found.get(name) ?? new Set();
    found.set(name, known);
    for (const version of versions) known.add(version);
  }
  return Object.fromEntries([...found].sort(byKey).map(([name, versions]) => [name, [...versions].sort()]));
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => order(a, b);
