import { randomUUID } from 'node:crypto';
import type { Engines } from './connection.js';
import { asking } from './images.js';
import { orphaned, ourLabels, WORKER_LABEL } from './ours.js';
import { answered } from './watched.js';

/** A network of containers without a way out. */
export interface ContainerNetwork {
  readonly name: string;
  /** Never rejects: the next sweep removes what an engine did not. */
  remove(): Promise<void>;
}

export async function makeNetwork(engines: Engines, signal: AbortSignal): Promise<ContainerNetwork> {
  const name = `slipway-${randomUUID()}`;
  // Without an address of this machine on the bridge: containers would reach all that listens on every address.
  const driver = { 'com.docker.network.bridge.inhibit_ipv4': 'true' };
  const options = { Name: name, Internal: true, Options: driver, Labels: ourLabels(), CheckDuplicate: true };
  await asking(`making the network ${name}`, signal, () => answered(() => engines().createNetwork(options)));
  return {
    name,
    remove: async () => {
      await answered(() => engines().getNetwork(name).remove() as Promise<unknown>).catch(() => undefined);
    },
  };
}

/** Removes networks whose worker died. Returns how many; 0 if no engine answers with a list. */
export async function sweepNetworks(engines: Engines): Promise<number> {
  const filters = { label: [WORKER_LABEL] };
  const told = await answered(() => engines().listNetworks({ filters })).catch(() => []);
  const all = Array.isArray(told) ? told : [];
  let removed = 0;
  for (const { Id } of all.filter(({ Labels }) => orphaned(Labels ?? {})))
    await answered(() => engines().getNetwork(Id).remove() as Promise<unknown>).then(
      () => (removed += 1),
      () => undefined,
    );
  return removed;
}
