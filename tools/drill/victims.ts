import { readFileSync } from 'node:fs';
import { identityOf, lives, membersOf } from '#slipway/adapters/process/identity.js';
import { fail } from '#slipway/model/failure.js';
import type { Queue } from '#slipway/model/ids.js';
import { readJson, tail } from '#slipway/services/files.js';
import { logFile, processesFile, statusFile } from '#slipway/services/folders.js';
import { supervisor } from '#slipway/services/lock.js';
import { until } from '#slipway/services/poll.js';
import type { Started } from '#slipway/services/process-record.js';
import { allReady, type Status } from '#slipway/services/status.js';
import { notRisen } from './errors.js';
import type { Victim } from './draw.js';

/** From SIGKILL to the next answer; a busy machine is slow. */
const RISES_WITHIN_MS = 120_000;
const DIES_WITHIN_MS = 20_000;

const SERVICES: Partial<Record<Victim, string>> = {
  workflows: 'worker-workflows',
  door: 'temporal',
  namespace: 'temporal',
  index: 'devpi',
};
/** Victims that are not the first process of their service. */
const PROGRAMS: Partial<Record<Victim, string>> = { temporal: 'temporal', door: 'nginx' };

export const serviceOf = (victim: Victim, queue: Queue): string =>
  victim === 'worker' ? `worker-${queue}` : (SERVICES[victim] ?? victim);
export const programOf = (victim: Victim): string | undefined => PROGRAMS[victim];

/** Kills processes of a home; their supervisor must restart them alone. */
export interface Victims {
  /** Kills a service by one of its processes. Returns the service's pid, or 0 if none was up.
   * @param program absent: the first process */
  killService(service: string, program?: string): Promise<number>;
  killSupervisor(): Promise<void>;
  /** Resolves when the supervisor has a process other than `dead` that answers. */
  risen(service: string, dead: number): Promise<void>;
  allUp(): Promise<void>;
}

export function createVictims(home: string): Victims {
  const status = (): Status | null => readJson<Status>(statusFile(home));
  const pidOf = (service: string): number =>
    (readJson<readonly Started[]>(processesFile(home)) ?? []).find(({ name }) => name === service)?.pid ?? 0;
  const rises = async (what: string, so: () => boolean): Promise<void> => {
    if (!(await until(so, RISES_WITHIN_MS))) throw fail(notRisen(what, RISES_WITHIN_MS, tail(logFile(home, what))));
  };
  return {
    async killService(service, program) {
      const pid = pidOf(service);
      if (pid > 1) await kill(program === undefined ? pid : memberOf(pid, program));
      return pid;
    },
    async killSupervisor() {
      const holder = supervisor(home);
      if (holder !== null) await kill(holder.pid);
    },
    risen: (service, dead) =>
      rises(service, () => ![dead, 0].includes(pidOf(service)) && status()?.services[service]?.state === 'ready'),
    allUp: () =>
      rises('supervisor', () => {
        const now = status();
        return now !== null && allReady(now);
      }),
  };
}

/** The first process of a group that runs the program: nginx's is the master. Without one, the group's leader. */
const memberOf = (group: number, program: string): number =>
  membersOf(group).find((pid) => nameOf(pid) === program) ?? group;

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return ''; // it ended meanwhile
  }
}

async function kill(pid: number): Promise<void> {
  const victim = identityOf(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // it ended by itself meanwhile
  }
  await until(() => !lives(victim), DIES_WITHIN_MS);
}
