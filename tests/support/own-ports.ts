import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** Ports of this machine at which a process of the group listens. */
export function ownPorts(group: number): readonly number[] {
  const sockets = new Set(readdirSync('/proc').flatMap((pid) => (groupOf(pid) === group ? descriptors(pid) : [])));
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    return state === '0A' && sockets.has(`socket:[${inode}]`) ? [parseInt(local.split(':')[1]!, 16)] : [];
  });
}

/** Group of a living process. Null if it has ended. */
export function groupOf(pid: string): number | null {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[2],
    );
  } catch {
    return null;
  }
}

function descriptors(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return [];
  }
}
