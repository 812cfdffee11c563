import { boot, lives } from '../process/identity.js';
import type { Engines } from './connection.js';
import { WORKER_LABEL } from './container.js';

/** Removes containers whose worker died before it could. Answers how many; none where no engine answers.
 * A container of another machine's worker, or from before a reboot, is left alone. */
export async function sweepContainers(engines: Engines): Promise<number> {
  const docker = engines();
  let removed = 0;
  try {
    for (const { Id, Labels } of await docker.listContainers({ all: true, filters: { label: [WORKER_LABEL] } })) {
      const [pid, start] = (Labels[WORKER_LABEL] ?? '').split('@');
      if (!pid || !start?.startsWith(boot()) || lives({ pid: Number(pid), start })) continue;
      await docker.getContainer(Id).remove({ force: true, v: true });
      removed += 1;
    }
  } catch {
    return removed;
  }
  return removed;
}
