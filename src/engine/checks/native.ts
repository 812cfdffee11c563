import type { Finding } from '../../model/finding.js';
import type { PlatformFacts } from '../../model/platform.js';
import { error } from './finding.js';

/** Facts in the headers of a native program or library. */
export interface NativeFacts {
  readonly format: 'elf' | 'macho' | 'pe';
  /** As the system reports it: x86_64, aarch64, arm64, amd64. A universal binary of macOS has several. */
  readonly archs: readonly string[];
  /** The newest required glibc symbol version: `2.17`. Null if it needs none. */
  readonly glibc: string | null;
  readonly musl: boolean;
  /** The oldest supported macOS: `11.0`. Null if it does not state one. */
  readonly minOs: string | null;
  /** Whether every architecture slice has a signature, of any signer. Null on other systems. */
  readonly signed: boolean | null;
  /** True if headers refer past the end of the file: it is truncated or corrupt. All other facts are empty then. */
  readonly broken?: true;
  readonly needed: readonly string[];
  /** Folders that the loader searches first. */
  readonly runPaths: readonly string[];
}

const OS = { elf: 'linux', macho: 'macos', pe: 'windows' } as const;
const SYNONYMS: Readonly<Record<string, string>> = { arm64: 'aarch64', amd64: 'x86_64' };

/** Maps synonyms of an architecture to one name: arm64 of macOS is aarch64 of Linux. */
export const canonicalArch = (arch: string): string => SYNONYMS[arch] ?? arch;

/** Judges whether machine code matches its platform and the tags of its wheel.
 * @param subject path of the file
 * @param tags platform tags of its wheel */
export function judgeNative(
  subject: string,
  facts: NativeFacts,
  platform: PlatformFacts,
  tags: readonly string[] = [],
): readonly Finding[] {
  if (facts.broken)
    return [
      error(
        'NATIVE_BROKEN',
        subject,
        `begins as a file of machine code (${facts.format}) whose headers name places that it does not have`,
        'It was cut off or spoiled, by a full disk or a tool that rewrites it: build it again, and look at what touches it after the linker.',
      ),
    ];
  const foreign = judgeMachine(subject, facts, platform);
  if (foreign.length > 0) return foreign; // further findings would only follow from this one
  return facts.format === 'macho'
    ? judgeMacos(subject, facts, platform, tags)
    : judgeGlibc(subject, facts, platform, tags);
}

function judgeMachine(subject: string, facts: NativeFacts, platform: PlatformFacts): readonly Finding[] {
  const next =
    'Build it for that platform: `cross: zig` with `on:` a queue that can cross, or a queue of such machines; a build script must use $CC.';
  if (OS[facts.format] !== platform.os) {
    const why = `is for ${OS[facts.format]} (${facts.archs.join(', ')}), the platform ${platform.name} is ${platform.os}`;
    return [error('NATIVE_OS_DIFFERS', subject, why, next)];
  }
  if (facts.archs.map(canonicalArch).includes(canonicalArch(platform.arch))) return [];
  const why = `holds code for ${facts.archs.join(', ') || 'an unknown machine'}, the platform ${platform.name} is ${platform.arch}`;
  return [error('NATIVE_ARCH_DIFFERS', subject, why, next)];
}

/** C library of a wheel's platform tag, by the tag's prefix. */
const TAGGED = [
  ['manylinux', 'glibc'],
  ['musllinux', 'musl'],
] as const;

function judgeGlibc(
  subject: string,
  { glibc, musl }: NativeFacts,
  { name, libc }: PlatformFacts,
  tags: readonly string[],
): readonly Finding[] {
  const needs = musl ? 'musl' : glibc === null ? null : 'glibc';
  const other = [
    ...(libc?.name === 'glibc' || libc?.name === 'musl' ? [{ libc: libc.name, who: `the platform ${name}` }] : []),
    ...tags.flatMap((tag) => TAGGED.flatMap(([start, one]) => (tag.startsWith(start) ? { libc: one, who: tag } : []))),
  ].find((promise) => needs !== null && promise.libc !== needs);
  if (other !== undefined) {
    const why = `needs ${needs}, ${other.who} promises ${other.libc}`;
    return [error('LIBC_DIFFERS', subject, why, `Build it against ${other.libc}, or correct platform and tag.`)];
  }
  if (glibc === null) return [];
  const next =
    'Build it against an older C library: `cross: zig` takes the floor of the platform (`platforms: { NAME: { libc: … } }`), or an older `base`.';
  const tag = oldest(tags.flatMap(glibcOf));
  const found: Finding[] = [];
  if (tag !== null && newer(glibc, tag))
    found.push(error('GLIBC_TOO_NEW', subject, `needs glibc ${glibc}, the wheel's tag promises ${tag}`, next));
  if (libc?.name === 'glibc' && newer(glibc, libc.floor))
    found.push(
      error('GLIBC_TOO_NEW', subject, `needs glibc ${glibc}, the platform ${name} promises ${libc.floor}`, next),
    );
  return found;
}

function judgeMacos(
  subject: string,
  { archs, minOs, needed, signed }: NativeFacts,
  { name, libc }: PlatformFacts,
  tags: readonly string[],
): readonly Finding[] {
  if (minOs === null)
    return [
      error(
        'MACOS_UNSTATED',
        subject,
        'says no oldest macOS (LC_BUILD_VERSION, LC_VERSION_MIN_MACOSX)',
        'Link it with `-mmacosx-version-min`, or with a target that has a version: aarch64-macos.11.0.',
      ),
    ];
  const next =
    'Build it for the older system: MACOSX_DEPLOYMENT_TARGET, or `cross: zig`, which takes the floor of the platform.';
  const tag = oldest(tags.flatMap(macosOf));
  const found: Finding[] = [
    ...judgeLoads(subject, needed),
    ...judgeSignature(subject, archs, signed),
    ...judgeUniversal(subject, archs, tags),
  ];
  if (tag !== null && newer(minOs, tag))
    found.push(
      error('MACOS_TOO_NEW', subject, `runs on macOS ${minOs} and newer, the wheel's tag promises ${tag}`, next),
    );
  if (libc?.name === 'macos' && newer(minOs, libc.floor))
    found.push(
      error(
        'MACOS_TOO_NEW',
        subject,
        `runs on macOS ${minOs} and newer, the platform ${name} promises ${libc.floor}`,
        next,
      ),
    );
  return found;
}

/** Every Mac has the system's libraries. Others must be relative to the file itself. */
function judgeLoads(subject: string, needed: readonly string[]): readonly Finding[] {
  const outside = needed.filter(
    (path) => !/^(\/usr\/lib\/|\/System\/Library\/|@rpath\/|@loader_path\/|@executable_path\/)/.test(path),
  );
  if (outside.length === 0) return [];
  return [
    error(
      'LIBRARY_OUTSIDE',
      subject,
      `loads ${outside.join(', ')}; users' machines have no such file`,
      'Link it statically, or put the library into the wheel and load it by @loader_path (delocate does this on a Mac).',
    ),
  ];
}

/** Macs with arm64 run no unsigned code. Linkers sign ad hoc, and a later change of the file breaks that signature. */
function judgeSignature(subject: string, archs: readonly string[], signed: boolean | null): readonly Finding[] {
  if (signed !== false || !archs.includes('arm64')) return [];
  const why = 'has no signature (LC_CODE_SIGNATURE); Macs of arm64 load nothing unsigned';
  return [
    error(
      'MACOS_UNSIGNED',
      subject,
      why,
      'Let the linker sign it (zig and Apple do), or `codesign -s - FILE` on a Mac.',
    ),
  ];
}

/** Macs of both architectures install such a wheel, and each loads its own slice. */
function judgeUniversal(subject: string, archs: readonly string[], tags: readonly string[]): readonly Finding[] {
  const tag = tags.find((one) => one.endsWith('_universal2'));
  const missing = ['arm64', 'x86_64'].filter((arch) => !archs.includes(arch));
  if (tag === undefined || missing.length === 0) return [];
  const why = `holds code for ${archs.join(', ')}, the wheel's tag ${tag} promises ${missing.join(', ')} too`;
  const next = 'Build for both (ARCHFLAGS="-arch arm64 -arch x86_64"), or let the tag name the one there is.';
  return [error('NATIVE_ARCH_DIFFERS', subject, why, next)];
}

/** Since macOS 11 the minor version is no part of a tag: installers accept `macosx_11_0` only, and ignore
 * `macosx_11_3`. */
export function judgeMacosTags(file: string, tags: readonly string[]): readonly Finding[] {
  return tags.flatMap((tag) => {
    const [major, minor] = macosOf(tag)[0]?.split('.').map(Number) ?? [];
    if (major === undefined || major < 11 || minor === 0) return [];
    return [
      error(
        'MACOS_MINOR',
        file,
        `its tag ${tag} has a minor version; installers look for macosx_${major}_0 and never take it`,
        `Build with MACOSX_DEPLOYMENT_TARGET=${major}.0 (\`platforms: { NAME: { libc: '${major}.0' } }\`).`,
      ),
    ];
  });
}

/** glibc versions of the tags without numbers (PEP 513, 571, 599). */
const LEGACY: Readonly<Record<string, string>> = { '1': '2.5', '2010': '2.12', '2014': '2.17' };

function glibcOf(tag: string): readonly string[] {
  const [, major, minor] = /^manylinux_(\d+)_(\d+)_/.exec(tag) ?? [];
  const legacy = LEGACY[/^manylinux(1|2010|2014)_/.exec(tag)?.[1] ?? ''];
  return major === undefined ? (legacy === undefined ? [] : [legacy]) : [`${major}.${minor!}`];
}

function macosOf(tag: string): readonly string[] {
  const [, major, minor] = /^macosx_(\d+)_(\d+)_/.exec(tag) ?? [];
  return major === undefined ? [] : [`${major}.${minor!}`];
}

/** Returns the oldest version. A file with several tags must run on it. */
const oldest = (versions: readonly string[]): string | null =>
  [...versions].sort((a, b) => (newer(a, b) ? 1 : newer(b, a) ? -1 : 0))[0] ?? null;

/** Compares versions by number: 2.17 is newer than 2.5. */
export function newer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
