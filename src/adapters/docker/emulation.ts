import { readFile } from 'node:fs/promises';

/** The kernel's table of emulators: docs.kernel.org/admin-guide/binfmt-misc.html */
const TABLE = '/proc/sys/fs/binfmt_misc';
/** QEMU architecture names that differ from OCI's. */
const QEMU: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64', '386': 'i386' };

/** Returns why containers of another platform cannot run here. Null if they can. The binfmt_misc flag F makes the kernel open the
 * emulator when it is registered, so a container needs no copy of it.
 * @param platform OCI platform: `linux/arm64` */
export async function whyNotEmulated(platform: string, table = TABLE): Promise<string | null> {
  const architecture = platform.split('/')[1] ?? '';
  const name = `qemu-${QEMU[architecture] ?? architecture}`;
  const row = await readFile(`${table}/${name}`, 'utf8').catch(() => null);
  if (row === null) return `${name} is not registered in ${table}`;
  if (!row.startsWith('enabled')) return `${name} is registered in ${table}, but disabled`;
  return /^flags: .*F/m.test(row) ? null : `${name} is registered without the flag F: it is not seen inside containers`;
}
