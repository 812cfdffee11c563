import { existsSync } from 'node:fs';
import { run } from '../run.js';

const TABLE = '/proc/sys/fs/binfmt_misc';
const EMULATORS = ['qemu-aarch64', 'qemu-x86_64'];
const LIMIT_MS = 10_000;

/** Registers QEMU with the kernel, also for containers. The packages' own service does so at boot, which a container
 * lacks. Never fails: workers measure their abilities and report what is missing. */
export async function enableEmulation(isRoot: boolean): Promise<void> {
  const packaged = EMULATORS.filter((name) => existsSync(`/usr/share/binfmts/${name}`));
  if (!isRoot || packaged.length === 0) return;
  if (!existsSync(`${TABLE}/register`)) await run('mount', ['-t', 'binfmt_misc', 'binfmt_misc', TABLE], LIMIT_MS);
  for (const name of packaged.filter((emulator) => !existsSync(`${TABLE}/${emulator}`)))
    await run('update-binfmts', ['--enable', name], LIMIT_MS);
}
