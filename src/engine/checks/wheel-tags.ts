import type { PlatformFacts } from '../../model/platform.js';
import type { WheelName } from '../../model/python/file-name.js';

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
