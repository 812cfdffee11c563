import type { PlatformFacts } from '../model/platform.js';
import type { Context } from './context.js';
import { problems } from './errors.js';

/** glibc versions with an auditwheel policy (its manylinux-policy.json), and so with a manylinux tag. */
const EVERYWHERE = '2.17 2.24 2.26 2.27 2.28 2.31 2.34 2.35 2.36 2.37 2.38 2.39 2.40 2.41'.split(' ');
const ALSO: Readonly<Record<string, readonly string[]>> = { x86_64: ['2.5', '2.12'], i686: ['2.5', '2.12'] };

/** Floors that a repaired wheel can have on a machine. */
export const manylinuxFloors = (arch: string): readonly string[] => [...(ALSO[arch] ?? []), ...EVERYWHERE];

/** Complains about a floor without a manylinux tag, before a build fails on it. */
export function checkFloor(name: string, { libc, arch }: PlatformFacts, context: Context): void {
  if (libc?.name !== 'glibc') return;
  const floors = manylinuxFloors(arch);
  if (!floors.includes(libc.floor))
    context.complain(problems.noSuchFloor(context.at(['platforms', name, 'libc']), libc.floor, floors));
}
