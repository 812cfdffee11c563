import { join } from 'node:path';
import type { Logger } from 'pino';
import { sweepWorkspaces } from '../activities/step/workspace.js';
import { createDocker } from '../adapters/docker/index.js';
import { startOf } from '../adapters/process/identity.js';
import { sweepPipes } from '../adapters/process/pipes.js';
import { sweepGroups } from '../adapters/process/sweep.js';
import { sweepTemporary } from '../adapters/store/temporary.js';
import { serviceOf } from './addresses.js';

export async function sweep(home: string, log: Logger): Promise<void> {
  const groups = await sweepGroups(join(home, 'running'));
  const workspaces = await sweepWorkspaces(home, (pid) => startOf(pid) !== null);
  const files = await sweepTemporary(join(home, 'store'));
  const pipes = await sweepPipes();
  const containers = await createDocker(() => serviceOf(home, 'docker')?.address ?? null).sweep();
  if (groups.length + workspaces + files + pipes + containers > 0)
    log.info({ groups, workspaces, files, pipes, containers }, 'swept what dead workers left');
}
