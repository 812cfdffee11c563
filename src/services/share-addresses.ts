import { openHomeKeys, keysFolder } from '../adapters/home-keys/open.js';
import { openStore } from '../adapters/store/open.js';
import { isProved, withProof, type Proved } from '../model/proof.js';
import { workerRecords, type SharedAddresses } from '../model/worker.js';
import type { ServicesState } from './state.js';

/** Services that steps of a worker in another folder of this machine need; it finds them in the store. */
const SHARED = ['docker', 'staging', 'registry', 'index', 'maven'];

/** Stores the addresses of running services, signed by the home's key. The last `slipway up` on a store wins. A home
 * that joined another one has no such key and changes nothing.
 * @param isPart `up --only`: another host may run the other services, so their signed addresses stay */
export async function shareAddresses(
  env: NodeJS.ProcessEnv,
  home: string,
  state: ServicesState,
  isPart: boolean,
): Promise<void> {
  const keys = openHomeKeys(keysFolder(env, home));
  if (!keys.holds('control')) return;
  const { pointers } = await openStore(env, home);
  const name = workerRecords.services;
  for (;;) {
    const now = await pointers.read<Proved<SharedAddresses>>(name);
    const before = now !== null && isProved(keys, 'control', name, now) ? now.addresses : null;
    const addresses = merged(state, isPart ? (before ?? {}) : {});
    if (JSON.stringify(before) === JSON.stringify(addresses)) return;
    const shared = withProof(keys, 'control', name, { at: state.supervisor.startedAt, addresses });
    const isUnchanged = (seen: Proved<SharedAddresses>): boolean => JSON.stringify(seen) === JSON.stringify(now);
    if ((await pointers.move(name, shared, isUnchanged)).moved) return;
  }
}

/** This home's addresses take precedence over those of other hosts, but for the engine: its socket serves this host
 * alone. */
function merged({ services }: ServicesState, others: SharedAddresses['addresses']): SharedAddresses['addresses'] {
  const of = (name: string): string | undefined =>
    name === 'docker' ? (others[name] ?? services[name]?.address) : (services[name]?.address ?? others[name]);
  return Object.fromEntries(SHARED.map((name) => [name, of(name)] as const).filter(isKnown));
}
const isKnown = (row: readonly [string, string | undefined]): row is readonly [string, string] => row[1] !== undefined;
