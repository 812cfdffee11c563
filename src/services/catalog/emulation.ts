import { existsSync } from 'node:fs';
import { run } from '../run.js';

const TABLE = '/proc/sys/fs/binfmt_misc';
/** Emulators of machines that releases are made for, as binfmt-support knows them. */
const EMULATORS = ['qemu-aarch64', 'qemu-x86_64'];
const LIMIT_MS = 10_000;

/** Has the kernel run programs of other machines by QEMU, in containers too; the packages' own service does so at boot, and in a
 * container nothing boots. Never fails: workers measure what they can do, and say why where they cannot. */
export async function enableEmulation(isRoot: boolean): Promise<void> {
  const packaged = EMULATORS.filter((name) => existsSync(`/usr/share/binfmts/${name}`));
  if (!isRoot || packaged.length === 0) return;
  if (!existsSync(`${TABLE}/register`)) await run('mount', ['-t', 'binfmt_misc', 'binfmt_misc', TABLE], LIMIT_MS);
  for (const name of packaged.filter((emulator) => !existsSync(`${TABLE}/${emulator}`)))
    await run('update-binfmts', ['--enable', name], LIMIT_MS);
}
