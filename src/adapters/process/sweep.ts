import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lives, signalGroup, startOf } from './identity.js';
import type { Running } from './protocol.js';

/** Ends process groups whose worker and runner are both gone: a runner that is killed cannot keep its promise.
 * @param running folder of records, `<home>/running`
 * @returns process groups that were ended */
export async function sweepGroups(running: string): Promise<readonly number[]> {
  const ended: number[] = [];
  for (const name of await readdir(running).catch((): string[] => [])) {
    if (!name.endsWith('.json')) continue;
    const path = join(running, name);
    const record = await read(path);
    if (record && (lives(record.runner) || lives(record.worker))) continue;
    if (record && stillOurs(record) && signalGroup(record.group.pid, 'SIGKILL')) ended.push(record.group.pid);
    await rm(path, { force: true });
  }
  return ended;
}

async function read(path: string): Promise<Running | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Running;
  } catch {
    return null;
  }
}

/** A group outlives its leader, and while it does no new process gets the leader's pid: ours unless another process has it now.
 * A record from before a reboot names nobody. */
function stillOurs(record: Running): boolean {
  const now = startOf(record.group.pid);
  if (now !== null) return now === record.group.start;
  const [bootThen] = record.group.start.split(':');
  const [bootNow] = (startOf(process.pid) ?? '').split(':');
  return process.platform === 'linux' && bootThen === bootNow;
}
