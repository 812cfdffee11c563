import { canonicalArch } from '../../engine/checks/native.js';
import type { PlatformFacts } from '../../model/platform.js';

/** uv's name of a platform, so that a lock does not depend on the machine that makes it.
 * Linux means glibc 2.34 at least: what current wheels are built for. Null: uv takes the machine's own. */
export function uvPlatform({ os, arch }: Pick<PlatformFacts, 'os' | 'arch'>): string | null {
  const cpu = canonicalArch(arch);
  if (!/^(x86_64|aarch64)$/.test(cpu)) return null;
  if (os === 'linux') return `${cpu}-manylinux_2_34`;
  if (os === 'macos') return `${cpu}-apple-darwin`;
  if (os === 'windows') return `${cpu}-pc-windows-msvc`;
  return null;
}
