import { debianRelease, type OwnPython } from '../model/debian.js';
import type { PlatformFacts } from '../model/platform.js';
import type { Platforms, Queues } from '../model/schema/profile.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import type { Base } from '../model/schema/sections/images.js';
import type { Ability } from '../model/worker.js';

type Row = Platforms[string];
type Adjusted = Exclude<NonNullable<ReleaseFile['platforms']>, readonly unknown[]>[string];

/** Returns the table of config/platforms.yaml with the platforms of the release file. A platform `like` an unknown one
 * is left out. */
export function platformTable({ platforms = [] }: ReleaseFile, table: Platforms): Platforms {
  if (Array.isArray(platforms)) return table;
  const own = Object.entries(platforms).flatMap(([name, said]): [string, Row][] => {
    const model = table[said.like ?? name];
    return model === undefined ? [] : [[name, adjust(model, said)]];
  });
  return { ...table, ...Object.fromEntries(own) };
}

function adjust(
  model: Row,
  { unserved: _, like: _like, until: _until, base: _base, libc: floor, ...said }: Adjusted,
): Row {
  const row: Row = { ...model, ...(said as Partial<Row>) };
  if (floor === undefined) return row;
  const libc = { name: model.libc?.name ?? (row.os === 'macos' ? ('macos' as const) : ('glibc' as const)), floor };
  return { ...row, libc, wheel: said.wheel ?? tagPattern(libc.name, floor, row.arch) ?? row.wheel };
}

/** The tag of a promised floor, so that wheels with different floors have different names. */
function tagPattern(libc: string, floor: string, arch: string): string | null {
  const version = floor.replace('.', '_');
  if (libc === 'macos') return `macosx_${version}_${arch}`;
  return libc === 'glibc' ? `*manylinux_${version}_${arch}` : null;
}

/** Facts of a platform that an import gets. */
interface ImportedFor {
  readonly arch: string;
  readonly glibc: string | null;
  readonly until: string | null;
  /** The Python of its base, if that builds the wheels and is known. */
  readonly python: OwnPython | null;
}

/** Returns platforms of the table for imports. One for which no floor of glibc is known has none. */
export function platformsForImports(release: ReleaseFile, table: Platforms): Readonly<Record<string, ImportedFor>> {
  const { platforms = {}, bases } = release;
  return Object.fromEntries(
    Object.entries(platformTable(release, table)).map(([name, { arch, libc }]) => {
      const said = Array.isArray(platforms) ? undefined : platforms[name];
      const python = ownPythonOf(said?.base === undefined ? undefined : bases[said.base]);
      return [name, { arch, glibc: libc?.name === 'glibc' ? libc.floor : null, until: said?.until ?? null, python }];
    }),
  );
}

/** Returns a base's own Python. Null if that does not build wheels, or is unknown. */
const ownPythonOf = (base: Base | undefined): OwnPython | null =>
  base?.python === 'own' && 'debian' in base ? (debianRelease(base.debian)?.python ?? null) : null;

export function factsOf(name: string, table: Platforms): PlatformFacts {
  const row = table[name];
  // Placeholder row for an unknown name, which is already a problem.
  if (row === undefined)
    return { name, os: '', arch: '', libc: null, wheel: '*', native: name, oci: null, accelerator: 'none' };
  const { os, arch, libc = null, wheel, native, oci = null, accelerator } = row;
  return { name, os, arch, libc, wheel, native, oci, accelerator };
}

/** Returns platforms as listed. A map has no order: served platforms come first, then those that can cross-build.
 * Without `platforms` it is the first platform of the table with a known queue. */
export function platformNames({ platforms }: ReleaseFile, table: Platforms, queues: Queues): readonly string[] {
  if (platforms === undefined)
    return Object.keys(table)
      .filter((name) => table[name]!.queue in queues)
      .slice(0, 1);
  if (Array.isArray(platforms)) return platforms;
  const can = (name: string, what: Ability): boolean => queues[table[name]?.queue ?? '']?.can.includes(what) ?? false;
  const rank = (name: string): string =>
    [platforms[name]?.unserved === undefined ? 0 : 1, can(name, 'cross') ? 0 : 1, name].join(' ');
  return Object.keys(platforms).sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}
