import type { Finding } from '../../model/finding.js';
import type { PlatformFacts } from '../../model/platform.js';
import { error } from './finding.js';
import type { WheelName } from '../../model/python/file-name.js';

/** Checks names of extension modules, which state their interpreter: `_sail.cpython-312-aarch64-linux-gnu.so`,
 * `_sail.abi3.so`. An interpreter ignores other names, and the import fails. */
export function judgeExtensionNames(
  members: readonly string[],
  name: WheelName,
  platform: PlatformFacts,
): readonly Finding[] {
  return members.flatMap((member) => {
    const [, version, system] = /\.cpython-(\d+t?)-([^./]+)\.so$/.exec(member) ?? [];
    if (version === undefined || system === undefined) return [];
    return [...judgeVersion(member, version, name), ...judgeSystem(member, system, platform)];
  });
}

function judgeVersion(member: string, version: string, { pythons, abis }: WheelName): readonly Finding[] {
  if (abis.includes('abi3')) {
    const why = `is for CPython ${dotted(version)} alone, and the wheel says abi3: fits every newer one`;
    const next = 'Compile it with Py_LIMITED_API (setuptools: `py_limited_api=True`), or leave the abi3 tag.';
    return [error('ABI3_NOT', member, why, next)];
  }
  if (pythons.includes(`cp${version.replace('t', '')}`)) return [];
  const why = `is for CPython ${dotted(version)}, the wheel is for ${pythons.join('.')}`;
  return [
    error('EXTENSION_NAME_DIFFERS', member, why, 'Build it with the Python of the step: `python` on PATH is it.'),
  ];
}

function judgeSystem(member: string, system: string, { name, os, arch }: PlatformFacts): readonly Finding[] {
  const wanted = os === 'macos' ? 'darwin' : `${arch}-linux-`;
  if (system.startsWith(wanted)) return [];
  const why = `is named for ${system}, the platform ${name} looks for names with ${wanted}`;
  const next =
    'Let the build backend take SETUPTOOLS_EXT_SUFFIX, which the step sets; one that does not cannot cross-build.';
  return [error('EXTENSION_NAME_DIFFERS', member, why, next)];
}

const dotted = (version: string): string => `${version.slice(0, 1)}.${version.slice(1)}`;
