import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lives, membersOf, opened, signalGroup, startOf } from './identity.js';
import type { Running } from './protocol.js';
import { readJsonLater } from '../json-file.js';

/** Ends process groups whose worker and runner are both dead: a killed runner cannot end its groups.
 * @param running folder of records, `<home>/running`
 * @returns process groups that were ended */
export async function sweepGroups(running: string): Promise<readonly number[]> {
  const ended: number[] = [];
  for (const name of await readdir(running).catch((): string[] => [])) {
    if (!name.endsWith('.json')) continue;
    const path = join(running, name);
    const record = await readJsonLater<Running>(path);
    if (record && (lives(record.runner) || lives(record.worker))) continue;
    if (record && stillOurs(record) && signalGroup(record.group.pid, 'SIGKILL')) ended.push(record.group.pid);
    await rm(path, { force: true });
  }
  return ended;
}

/** True if the process group is still the recorded one. The system may give its pid to another process. The start time of a living
 * leader decides. Without a leader, a member must have its working folder or its output in those of the step. */
function stillOurs({ group, cwd, output }: Running): boolean {
  const now = startOf(group.pid);
  if (now !== null) return now === group.start;
  if (process.platform !== 'linux') return false;
  return membersOf(group.pid).some(
    (pid) =>
      isInside(opened(pid, 'cwd'), cwd) || [1, 2].some((fd) => output?.includes(opened(pid, fd) ?? 'nothing is open')),
  );
}

const isInside = (folder: string | null, cwd: string | undefined): boolean =>
  folder !== null && cwd !== undefined && `${folder}/`.startsWith(`${cwd}/`);
