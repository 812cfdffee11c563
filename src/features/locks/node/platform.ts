import { canonicalArch } from '../../../engine/checks/native.js';
import type { PlatformFacts } from '../../../model/platform.js';

/** Returns uv's name of a platform, so that a lock does not depend on the machine. Linux means glibc 2.34, which
 * current wheels are built for. Null if uv has no name for it and uses the machine's own. */
export function uvPlatform({ os, arch }: Pick<PlatformFacts, 'os' | 'arch'>): string | null {
  const cpu = canonicalArch(arch);
  if (!/^(x86_64|aarch64)$/.test(cpu)) return null;
  if (os === 'linux') return `${cpu}-manylinux_2_34`;
  if (os === 'macos') return `${cpu}-apple-darwin`;
  if (os === 'windows') return `${cpu}-pc-windows-msvc`;
  return null;
}
