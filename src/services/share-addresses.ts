import { openStore } from '../adapters/store/open.js';
import { workerRecords, type SharedAddresses } from '../model/worker.js';
import type { ServicesState } from './state.js';

/** Services that steps of a worker on this machine, in a folder of its own, need: it finds them in the store. */
const SHARED = ['docker', 'staging', 'registry', 'index', 'maven'];

/** Leaves the addresses of what is up in the store; the last `slipway up` on a store is the one that counts. */
export async function shareAddresses(env: NodeJS.ProcessEnv, home: string, state: ServicesState): Promise<void> {
  const here = Object.entries(state.services).filter(([name]) => SHARED.includes(name));
  const addresses = Object.fromEntries(here.map(([name, { address }]) => [name, address]));
  const { pointers } = await openStore(env, home);
  const shared: SharedAddresses = { at: state.supervisor.startedAt, addresses };
  const same = (now: SharedAddresses): boolean => JSON.stringify(now.addresses) === JSON.stringify(addresses);
  await pointers.move(workerRecords.services, shared, (now) => !same(now));
}
