/** uv's name of a platform, so that a lock does not depend on the machine that makes it.
 * Linux means glibc 2.34 at least: what current wheels are built for. Null: uv takes the machine's own. */
export function uvPlatform(platform: string): string | null {
  const [system, machine] = [platform.slice(0, platform.indexOf('-')), platform.slice(platform.indexOf('-') + 1)];
  const cpu = machine === 'arm64' ? 'aarch64' : machine;
  if (!/^(x86_64|aarch64)$/.test(cpu)) return null;
  if (system === 'linux') return `${cpu}-manylinux_2_34`;
  if (system === 'macos') return `${cpu}-apple-darwin`;
  if (system === 'windows') return `${cpu}-pc-windows-msvc`;
  return null;
}
