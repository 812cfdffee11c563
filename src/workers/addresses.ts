import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pointers } from '../activities/ports.js';
import { workerRecords, type SharedAddresses } from '../model/worker.js';
import type { ServicesState } from '../services/state.js';

const LOOK_AGAIN_MS = 10_000;
const USUAL_ENGINE = '/var/run/docker.sock';

/** Read each time: services may be started again on other ports. */
export function serviceAddress(folder: string, name: string): string | null {
  return servicesOf(folder)?.services[name]?.address ?? null;
}

function servicesOf(folder: string): ServicesState | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'services.json'), 'utf8')) as ServicesState;
  } catch {
    return null;
  }
}

/** Addresses for a worker whose home has no services: those that `slipway up` left in the store. Its Docker engine is its own
 * machine's where there is one. */
export async function createAddresses(
  folder: string,
  pointers: Pick<Pointers, 'read'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<(name: string) => string | null> {
  let shared: SharedAddresses | null = null;
  const look = async (): Promise<void> => {
    shared = await pointers.read<SharedAddresses>(workerRecords.services).catch(() => shared);
  };
  await look();
  setInterval(() => void look(), LOOK_AGAIN_MS).unref();
  const hasEngine = (): boolean => Boolean(env['DOCKER_HOST']) || existsSync(USUAL_ENGINE);
  return (name) => {
    const own = servicesOf(folder);
    if (own) return own.services[name]?.address ?? null;
    return name === 'docker' && hasEngine() ? null : (shared?.addresses[name] ?? null);
  };
}
