import { openHomeKeys, keysFolder } from '../adapters/home-keys/open.js';
import { openStore } from '../adapters/store/open.js';
import { isProved, withProof, type Proved } from '../model/proof.js';
import { workerRecords, type SharedAddresses } from '../model/worker.js';
import type { ServicesState } from './state.js';

/** Services that steps of a worker in another folder of this machine need; it finds them in the store. */
const SHARED = ['docker', 'staging', 'registry', 'index', 'maven'];

/** Stores the addresses of running services, signed by the home's key. The last `slipway up` on a store wins. A home
 * that joined another one has no such key and changes nothing. */
export async function shareAddresses(env: NodeJS.ProcessEnv, home: string, state: ServicesState): Promise<void> {
  const here = Object.entries(state.services).filter(([name]) => SHARED.includes(name));
  const addresses = Object.fromEntries(here.map(([name, { address }]) => [name, address]));
  const keys = openHomeKeys(keysFolder(env, home));
  if (!keys.holds('control')) return;
  const { pointers } = await openStore(env, home);
  const name = workerRecords.services;
  const shared = withProof(keys, 'control', name, { at: state.supervisor.startedAt, addresses });
  const same = (now: Proved<SharedAddresses>): boolean =>
    JSON.stringify(now.addresses) === JSON.stringify(addresses) && isProved(keys, 'control', name, now);
  await pointers.move<Proved<SharedAddresses>>(name, shared, (now) => !same(now));
}
