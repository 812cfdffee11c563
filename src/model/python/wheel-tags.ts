import type { PlatformFacts } from '../platform.js';
import type { WheelName } from './file-name.js';

/** Expands the tags in a wheel's name, sorted, as its WHEEL file lists them: `cp312-cp312-manylinux_2_34_x86_64`. */
export const tagsOf = ({ pythons, abis, platforms }: WheelName): readonly string[] =>
  pythons
    .flatMap((python) => abis.flatMap((abi) => platforms.map((platform) => `${python}-${abi}-${platform}`)))
    .sort();

/** Whether an index accepts a platform tag for a platform. `linux_x86_64` states no C library. */
export function platformFits(tag: string, { os, arch }: Pick<PlatformFacts, 'os' | 'arch'>): boolean {
  if (tag === 'any') return true;
  if (os === 'linux') return /^(manylinux|musllinux)/.test(tag) && tag.endsWith(`_${arch}`);
  if (os === 'macos') return tag.startsWith('macosx_') && (tag.endsWith(`_${arch}`) || tag.endsWith('_universal2'));
  if (os === 'windows') return tag === `win_${arch}`;
  return true;
}

/** Whether an interpreter installs the wheel: `cp312` accepts cp312, py3, and abi3 wheels of an older CPython 3. */
export function pythonFits({ pythons, abis }: WheelName, tag: string): boolean {
  const minor = Number(/^[a-z]+3(\d+)t?$/.exec(tag)?.[1]);
  const plain = tag.replace(/t$/, '');
  // A free-threaded CPython loads neither extensions of the default build nor those of the stable ABI (PEP 703).
  const freeThreaded = plain !== tag;
  if (!abis.some((abi) => abi === 'none' || abi.endsWith('t') === freeThreaded)) return false;
  return pythons.some((python) => {
    if (python === plain || python === 'py3' || python === `py3${minor}`) return true;
    const older = /^cp3(\d+)$/.exec(python)?.[1];
    return abis.includes('abi3') && older !== undefined && Number(older) <= minor;
  });
}
