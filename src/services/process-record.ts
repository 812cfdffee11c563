import { boot, startOf, lives, identityOf, signalGroup, type Identity } from '../adapters/process/identity.js';
import { processesFile } from './folders.js';
import { readJson, writeJson } from './files.js';
import { until } from './poll.js';

/** A process group of the supervisor; its id is the leader's pid. */
export interface Started extends Identity {
  readonly name: string;
}

/** Records started processes on disk, so that a later supervisor ends these and no others. */
export class ProcessRecord {
  constructor(private readonly home: string) {}

  /** In start order. */
  list(): readonly Started[] {
    return readJson<readonly Started[]>(processesFile(this.home)) ?? [];
  }

  add(name: string, pid: number): Started {
    const started = { name, ...identityOf(pid) };
    writeJson(processesFile(this.home), [...this.list().filter((one) => one.pid !== pid), started]);
    return started;
  }

  forget(pid: number): void {
    const all = this.list();
    const rest = all.filter((one) => one.pid !== pid);
    if (rest.length < all.length) writeJson(processesFile(this.home), rest);
  }

  /** Ends all recorded processes, last started first. */
  async endAll(onEnd: (name: string) => void): Promise<void> {
    for (const started of [...this.list()].reverse()) {
      if (await endGroup(started, 20_000)) onEnd(started.name);
      this.forget(started.pid);
    }
  }
}

/** Sends SIGTERM to the leader, and SIGKILL to the rest of its group after the limit. Returns whether a process
 * existed. */
export async function endGroup(started: Identity, limitMs: number): Promise<boolean> {
  const lived = lives(started);
  if (lived) {
    process.kill(started.pid, 'SIGTERM');
    await until(() => !lives(started), limitMs);
  }
  const left = killRest(started);
  await until(() => !lives(started), 5_000);
  return lived || left;
}

/** Kills the rest of a group. The kernel does not reuse a pid while its group has members. So another leader with
 * that pid, or a reboot, means that the group is a different one. */
export function killRest(started: Identity): boolean {
  if (process.platform !== 'linux' || !started.start.startsWith(boot()))
    return lives(started) && signalGroup(started.pid, 'SIGKILL');
  const start = startOf(started.pid);
  if (start !== null && start !== started.start) return false;
  return signalGroup(started.pid, 'SIGKILL');
}
