import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { entriesIn } from '../../adapters/folder-entries.js';
import { identityOf, lives, type Identity } from '../../adapters/process/identity.js';
import { until } from '../poll.js';
import { run } from '../run.js';

/** Cleans up after a killed engine. Otherwise the next one waits for a dead containerd, builds continue unseen, and
 * containers unknown to it keep running.
 * @param data its data folder @param exec its folder of sockets and pids */
export async function clearLeftovers(data: string, exec: string): Promise<void> {
  await endContainerd(join(exec, 'containerd', 'containerd.pid'), exec);
  await endContainers(exec);
  const executor = join(data, 'buildkit', 'executor');
  for (const id of foldersIn(executor)) await run('runc', ['delete', '--force', id], 10_000);
  // With a data folder that is mounted already, an engine leaves it mounted for ever. Dying processes may hold it a
  // moment longer.
  for (const path of mountsIn(executor, data)) await run('umount', ['--lazy', path], 10_000);
  for (const id of foldersIn(executor)) rmSync(join(executor, id), { recursive: true, force: true });
}

/** Ends containerd. A zombie's pid in this file would make the next engine wait. */
async function endContainerd(file: string, exec: string): Promise<void> {
  const pid = Number(read(file));
  if (!(pid > 1)) return;
  const containerd = identityOf(pid);
  if (lives(containerd) && read(`/proc/${pid}/cmdline`).includes(exec)) {
    process.kill(pid, 'SIGKILL');
    await until(() => !lives(containerd), 5_000);
  }
  rmSync(file, { force: true });
}

/** Ends containers and their shims, which survive the engine. */
async function endContainers(exec: string): Promise<void> {
  const root = join(exec, 'runtime-runc', 'moby');
  for (const id of foldersIn(root)) await run('runc', ['--root', root, 'delete', '--force', id], 10_000);
  for (const shim of shimsOf(join(exec, 'containerd', 'containerd.sock'))) {
    if (lives(shim)) process.kill(shim.pid, 'SIGKILL');
    await until(() => !lives(shim), 5_000);
  }
}

const shimsOf = (socket: string): readonly Identity[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const argv = read(`/proc/${pid}/cmdline`).split('\0');
      return argv[0]!.includes('containerd-shim') && argv.includes(socket);
    })
    .map((pid) => identityOf(Number(pid)));

/** Running builds and containers, by their runc id. */
const foldersIn = (folder: string): readonly string[] =>
  entriesIn(folder)
    .filter((entry) => entry.isDirectory() && /^[a-z0-9]{20,}$/.test(entry.name))
    .map(({ name }) => name);

/** Mount points below `executor`, innermost first, then `data` itself if it is one. */
function mountsIn(executor: string, data: string): readonly string[] {
  const all = read('/proc/self/mountinfo')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '');
  return all.filter((path) => path === data || path.startsWith(`${executor}/`)).toReversed();
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
