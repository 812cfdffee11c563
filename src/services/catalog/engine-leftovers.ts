import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lives, identityOf } from '../../adapters/process/identity.js';
import { until } from '../poll.js';
import { run } from '../run.js';

/** What an engine leaves that was killed: the next one would wait for a dead containerd, and builds would go on unseen.
 * Containers are not in here: an engine ends those itself when it starts.
 * @param data its data folder @param exec its folder of sockets and pids */
export async function clearLeftovers(data: string, exec: string): Promise<void> {
  await endContainerd(join(exec, 'containerd', 'containerd.pid'), exec);
  const executor = join(data, 'buildkit', 'executor');
  for (const id of foldersIn(executor)) await run('runc', ['delete', '--force', id], 10_000);
  // An engine takes a data folder that is mounted already for somebody else's, and would leave it so for ever.
  // What just died may hold it for a moment yet.
  for (const path of mountsIn(executor, data)) await run('umount', ['--lazy', path], 10_000);
  for (const id of foldersIn(executor)) rmSync(join(executor, id), { recursive: true, force: true });
}

/** It goes with its engine, but nobody may have reaped it: an engine then believes the pid in its file, and waits. */
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

/** Builds that were under way, by the id that runc knows them by. */
function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && /^[a-z0-9]{20,}$/.test(entry.name)).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Mount points below `executor`, innermost first, then `data` itself where it is one. */
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
