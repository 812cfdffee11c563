import type { PlatformFacts } from '../../model/platform.js';

/** The parts of a wheel's file name (PyPA, binary distribution format). */
export interface WheelName {
  readonly project: string;
  readonly version: string;
  readonly pythons: readonly string[];
  readonly abis: readonly string[];
  readonly platforms: readonly string[];
}

/** Null where it is none: a name has five parts, or six with a build number. */
export function parseWheelName(file: string): WheelName | null {
  if (!file.endsWith('.whl')) return null;
  const parts = file.slice(0, -'.whl'.length).split('-');
  if (parts.length !== 5 && parts.length !== 6) return null;
  const [project = '', version = ''] = parts;
  const [pythons = '', abis = '', platforms = ''] = parts.slice(-3);
  return { project, version, pythons: pythons.split('.'), abis: abis.split('.'), platforms: platforms.split('.') };
}

/** PEP 503: names that mean the same project are the same text. */
export const normalName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Versions that mean the same are the same text (PEP 440, as far as releases go): `v1.0-RC.1` is `1rc1`. */
export function normalVersion(version: string): string {
  const text = version.trim().toLowerCase().replace(/^v/, '');
  const [publicPart = '', local] = text.split('+');
  const [, release = publicPart, rest = ''] = /^((?:\d+!)?\d+(?:\.\d+)*)(.*)$/.exec(publicPart) ?? [];
  const numbers = release
    .replace(/(?:\.0+)+$/, '')
    .split('.')
    .map((part) => part.replace(/^0+(?=\d)/, ''));
  const suffix = rest
    .replace(/[-_.]/g, '')
    .replace(/alpha/g, 'a')
    .replace(/beta/g, 'b')
    .replace(/preview|pre|(?<![a-z])c/g, 'rc')
    .replace(/revision|rev|(?<![a-z])r(?!c)/g, 'post');
  return `${numbers.join('.')}${suffix}${local === undefined ? '' : `+${local.replace(/[-_]/g, '.')}`}`;
}

/** Tags of a wheel's WHEEL file that its name stands for, sorted: `cp312-cp312-manylinux_2_34_x86_64`. */
export const tagsOf = ({ pythons, abis, platforms }: WheelName): readonly string[] =>
  pythons
    .flatMap((python) => abis.flatMap((abi) => platforms.map((platform) => `${python}-${abi}-${platform}`)))
    .sort();

/** Whether a platform tag may stand on an index for a platform: `linux_x86_64` says nothing about the C library it needs. */
export function platformFits(tag: string, { os, arch }: Pick<PlatformFacts, 'os' | 'arch'>): boolean {
  if (tag === 'any') return true;
  if (os === 'linux') return /^(manylinux|musllinux)/.test(tag) && tag.endsWith(`_${arch}`);
  if (os === 'macos') return tag.startsWith('macosx_') && (tag.endsWith(`_${arch}`) || tag.endsWith('_universal2'));
  if (os === 'windows') return tag === `win_${arch}`;
  return true;
}

/** Whether an interpreter takes the wheel: `cp312` takes cp312, py3, and abi3 wheels for an older CPython 3. */
export function pythonFits({ pythons, abis }: WheelName, tag: string): boolean {
  const minor = Number(/^[a-z]+3(\d+)t?$/.exec(tag)?.[1]);
  const plain = tag.replace(/t$/, '');
  // A free-threaded CPython loads no extension of the other sort, nor one of the stable ABI (PEP 703).
  const freeThreaded = plain !== tag;
  if (!abis.some((abi) => abi === 'none' || abi.endsWith('t') === freeThreaded)) return false;
  return pythons.some((python) => {
    if (python === plain || python === 'py3' || python === `py3${minor}`) return true;
    const older = /^cp3(\d+)$/.exec(python)?.[1];
    return abis.includes('abi3') && older !== undefined && Number(older) <= minor;
  });
}
