import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process among all that ever had its pid on this machine: boot and start time, or null when it is gone. */
export function startOf(pid: number): string | null {
  if (process.platform === 'linux') return startOnLinux(pid);
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in field 2 may hold spaces and brackets: count from its end. Field 3 is the state, 22 the start in ticks since boot.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : `${boot()}:${fields[19]}`;
  } catch {
    return null;
  }
}

export const boot = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

export interface Identity {
  readonly pid: number;
  readonly start: string;
}
export const identityOf = (pid: number): Identity => ({ pid, start: startOf(pid) ?? 'gone' });

/** True while this very process lives; another one with its pid does not count. */
export const lives = (who: Identity): boolean => startOf(who.pid) === who.start;

/** True where the process group took the signal. */
export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pgid, signal);
    return true;
  } catch {
    return false;
  }
}
