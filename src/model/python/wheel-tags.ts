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

/** Whether an interpreter takes one of the wheel's pairs of Python and ABI: `cp312` takes cp312, py3, py36, and abi3 wheels
 * of an older CPython 3. The rules are those of `packaging.tags`. */
export const pythonFits = ({ pythons, abis }: Pick<WheelName, 'pythons' | 'abis'>, tag: string): boolean =>
  pythons.some((python) => abis.some((abi) => pairFits(python, abi, tag)));

function pairFits(python: string, abi: string, tag: string): boolean {
  const minor = Number(/^[a-z]+3(\d+)t?$/.exec(tag)?.[1]);
  const plain = tag.replace(/t$/, '');
  // A free-threaded CPython loads neither extensions of the default build nor those of its stable ABI (PEP 703, PEP 803).
  const stable = plain === tag ? 'abi3' : 'abi3t';
  if (abi === 'none') return python === plain || python === 'py3' || isOlder(/^py3(\d+)$/.exec(python), 0, minor);
  if (abi === stable) return isOlder(/^cp3(\d+)$/.exec(python), 2, minor);
  return python === plain && abi === (minor < 8 ? `${tag}m` : tag);
}

const isOlder = (found: RegExpExecArray | null, oldest: number, newest: number): boolean =>
  found !== null && Number(found[1]) >= oldest && Number(found[1]) <= newest;

/** Machine and Python of an installer. */
export interface TagTarget {
  /** `cp311` */
  readonly python: string;
  readonly arch: string;
  /** Version of glibc: `2.36`. */
  readonly glibc: string;
}

/** Whether an installer on Linux takes a wheel: one of its tags is among those that `packaging.tags` lists for the target. */
export const wheelFits = ({ pythons, abis, platforms }: WheelName, target: TagTarget): boolean =>
  platforms.some((platform) =>
    platform === 'any'
      ? pythonFits({ pythons, abis: abis.filter((abi) => abi === 'none') }, target.python)
      : linuxFits(platform, target) && pythonFits({ pythons, abis }, target.python),
  );

/** glibc of the tags that PEP 600 replaced. */
const FORMER: Readonly<Record<string, string>> = { manylinux1: '2_5', manylinux2010: '2_12', manylinux2014: '2_17' };

function linuxFits(tag: string, { arch, glibc }: TagTarget): boolean {
  if (!tag.endsWith(`_${arch}`)) return false;
  const name = tag.slice(0, -arch.length - 1);
  if (name === 'linux') return true;
  const found = /^manylinux_(\d+)_(\d+)$/.exec(Object.hasOwn(FORMER, name) ? `manylinux_${FORMER[name]}` : name);
  if (found === null) return false;
  const [major = 0, minor = 0] = glibc.split('.').map(Number);
  const oldest = arch === 'x86_64' || arch === 'i686' ? 5 : 17;
  return Number(found[1]) === 2 && major === 2 && Number(found[2]) >= oldest && Number(found[2]) <= minor;
}
