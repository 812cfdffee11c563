import { existsSync } from 'node:fs';
import type { Pointers } from '../activities/ports.js';
import { isProved, type Proofs, type Proved } from '../model/proof.js';
import { workerRecords, type SharedAddresses } from '../model/worker.js';
import { servicesOf } from '../adapters/service-of.js';

const LOOK_AGAIN_MS = 10_000;
const USUAL_ENGINE = '/var/run/docker.sock';

export interface AddressDeps {
  readonly pointers: Pick<Pointers, 'read'>;
  readonly proofs: Proofs;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns a lookup of service addresses. The lookup finds a service that this home does not run in the store, where
 * `slipway up` wrote the address. Unsigned addresses are ignored, because they could lead to a foreign engine. A Docker engine of this machine takes
 * precedence. */
export async function createAddresses(
  folder: string,
  { pointers, proofs, env }: AddressDeps,
): Promise<(name: string) => string | null> {
  let shared: SharedAddresses | null = null;
  const look = async (): Promise<void> => {
    const found = await pointers.read<Proved<SharedAddresses>>(workerRecords.services).catch(() => undefined);
    if (found === undefined) return; // the store is down
    shared = found !== null && isProved(proofs, 'control', workerRecords.services, found) ? found : null;
  };
  await look();
  setInterval(() => void look(), LOOK_AGAIN_MS).unref();
  const hasEngine = (): boolean => Boolean(env['DOCKER_HOST']) || existsSync(USUAL_ENGINE);
  return (name) => {
    const own = servicesOf(folder)?.services[name]?.address;
    return own ?? (name === 'docker' && hasEngine() ? null : (shared?.addresses[name] ?? null));
  };
}
