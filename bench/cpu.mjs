import { readdirSync, readFileSync } from 'node:fs';

/** A clock tick of /proc on Linux. */
const TICK_MS = 10;

/** CPU that a process has used so far, its threads' too, without its children's. */
export const cpuMs = (pid) => ofProcess(pid, 11);

/** CPU of the living processes of a group. Temporal has a door beside it. */
export function groupMs(group) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.reduce((sum, pid) => {
    try {
      return fieldsOf(pid)[2] === String(group) ? sum + cpuMs(pid) : sum;
    } catch {
      return sum; // it has just ended
    }
  }, 0);
}

/** CPU of those children of this process that have ended, and of theirs. */
export const endedChildrenMs = () => ofProcess('self', 13);

/** CPU that anything used since the machine was started; what a host takes away from it is not in it. */
export function machineMs() {
  const [user, nice, system, , , irq, softirq] = /^cpu +(.*)/.exec(readFileSync('/proc/stat', 'utf8'))[1].split(' ');
  return [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

/** @param at place of the first of two fields, user and system, after the name */
function ofProcess(pid, at) {
  const fields = fieldsOf(pid);
  return (Number(fields[at]) + Number(fields[at + 1])) * TICK_MS;
}

/** Fields of /proc/PID/stat after the name. */
function fieldsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
