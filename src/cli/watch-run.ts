import type { ReleaseClient } from '../client/index.js';
import type { ExitCode, Io } from './command.js';
import type { FoundRun } from './find-run.js';
import { follow, type View } from './follow.js';
import { placedInFile } from './placed.js';
import type { Ports } from './ports.js';
import { tellEnding } from './tell-ending.js';

/** Shows a run until it ends or the person presses Ctrl-C, which leaves the run alone. */
export async function watchRun(
  client: ReleaseClient,
  run: FoundRun,
  io: Io,
  ports: Ports,
  json: boolean,
): Promise<ExitCode> {
  const interrupted = ports.interrupt();
  const view: View = json ? 'json' : io.terminal.live ? 'tree' : 'lines';
  const last = await follow(client.watch(run.workflowId, run.run, interrupted), view, io);
  if (last?.state === 'ended') {
    const found = await placedInFile(last, ports);
    return tellEnding(found, ports, io, json);
  }
  io.err(detached(run.workflowId));
  // Nobody knows yet how it ends, and 0 would say that it was released.
  return 1;
}

const detached = (workflowId: string): string =>
  [
    `Detached: ${workflowId} goes on.`,
    `  slipway watch ${workflowId}    comes back to it`,
    `  slipway cancel ${workflowId}   ends it`,
  ].join('\n');
