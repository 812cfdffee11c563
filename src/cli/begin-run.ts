import type { ReleaseClient, Started } from '../client/index.js';
import { unlessAborted } from '../client/unless-aborted.js';
import { workflowIdOf } from '../model/ids.js';
import type { Io } from './command.js';
import type { Ports } from './ports.js';
import { noteFile } from './with-locations.js';

type StartInput = Parameters<ReleaseClient['start']>[0];

export interface Begun {
  readonly started: Started;
  /** Address of Temporal's web page. */
  readonly ui: string | null;
}

/** Starts a run, and notes its release file. Null after Ctrl-C: the server may have taken the start all the same, and
 * the person is told so. */
export async function beginRun(
  client: ReleaseClient,
  input: StartInput,
  file: string,
  io: Io,
  ports: Ports,
): Promise<Begun | null> {
  const begun = await unlessAborted(begin(client, input, file, ports), ports.interrupt());
  if (begun === null) io.err(mayBeOpen(workflowIdOf(input)));
  return begun;
}

async function begin(client: ReleaseClient, input: StartInput, file: string, ports: Ports): Promise<Begun> {
  const started = await client.start(input);
  await noteFile(started.run, file, ports);
  return { started, ui: (await ports.services()).ui() };
}

const mayBeOpen = (workflowId: string): string =>
  `Interrupted: ${workflowId} may have been started. \`slipway status ${workflowId}\` shows it.`;
