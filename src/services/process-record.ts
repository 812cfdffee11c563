import { boot, startOf, lives, identityOf, signalGroup, type Identity } from '../adapters/process/identity.js';
import { processesFile } from './folders.js';
import { readJson, writeJson } from './files.js';
import { until } from './poll.js';

/** A process group that we started; its leader's pid is its group's id. */
export interface Started extends Identity {
  readonly name: string;
}

/** Remembers what was started, on disk, so that whoever comes after us can end it, and nobody else's process. */
export class ProcessRecord {
  constructor(private readonly home: string) {}

  /** In the order in which they were started. */
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

  /** Ends everything on record, last started first. */
  async endAll(onEnd: (name: string) => void): Promise<void> {
    for (const started of [...this.list()].reverse()) {
      if (await endGroup(started, 20_000)) onEnd(started.name);
      this.forget(started.pid);
    }
  }
}

/** TERM to the leader, KILL to what is left of its group after the limit. Answers whether anything was there. */
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

/** A pid is not given out again while its group has members: with another leader alive, or after a reboot, the group is
 * a stranger's. */
export function killRest(started: Identity): boolean {
  if (process.platform !== 'linux' || !started.start.startsWith(boot()))
    return lives(started) && signalGroup(started.pid, 'SIGKILL');
  const start = startOf(started.pid);
  if (start !== null && start !== started.start) return false;
  return signalGroup(started.pid, 'SIGKILL');
}
