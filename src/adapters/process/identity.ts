import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Returns boot id and start time, which distinguish processes that share a pid. Null if the process is gone. */
export function startOf(pid: number): string | null {
  if (process.platform === 'linux') return startOnLinux(pid);
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

function startOnLinux(pid: number): string | null {
  const fields = statFields(pid);
  return fields === null || fields.state === 'Z' ? null : `${boot()}:${fields.start}`;
}

interface StatFields {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  /** Ticks since boot. */
  readonly start: string;
}

/** Parses proc(5). The name in field 2 may hold spaces and brackets, so fields count from its end. Fields: 3 state,
 * 4 parent, 5 group, 22 start. */
function statFields(pid: number | string): StatFields | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, parent: Number(fields[1]), group: Number(fields[2]), start: fields[19]! };
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

/** True while this very process lives; a later process with the same pid does not count. */
export const lives = (who: Identity): boolean => startOf(who.pid) === who.start;

export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pgid, signal);
    return true;
  } catch {
    return false;
  }
}

/** True while a process of the group runs. Zombies do not count: in a container they may last for ever. */
export function groupLives(pgid: number): boolean {
  if (!signalGroup(pgid, 0)) return false;
  return process.platform !== 'linux' || membersOf(pgid).length > 0;
}

/** Pids of a group's processes. Linux only. */
export const membersOf = (pgid: number): readonly number[] =>
  running().flatMap(({ pid, group }) => (group === pgid ? [pid] : []));

/** Pids of the children of each process. Linux only. */
export function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of running()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  return children;
}

/** All processes except zombies. */
const running = (): readonly (StatFields & { readonly pid: number })[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const fields = statFields(name);
    return fields === null || fields.state === 'Z' ? [] : [{ ...fields, pid: Number(name) }];
  });

/** Returns the file behind a descriptor of a process (`cwd` for its folder), on Linux. Sockets and pipes have a
 * unique number. */
export function opened(pid: number | 'self', what: number | 'cwd'): string | null {
  try {
    return readlinkSync(`/proc/${pid}/${what === 'cwd' ? what : `fd/${what}`}`);
  } catch {
    return null;
  }
}
