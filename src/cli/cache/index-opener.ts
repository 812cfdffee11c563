import type { IndexOpener, IndexWriter } from '../../activities/index/ports.js';
import type { Store } from '../../activities/ports.js';
import type { Here } from '../../adapters/static-index/open-here.js';
import type { Place } from '../../adapters/static-index/place.js';

/** Asks the writers of indexes. */
export interface Writing<W = IndexWriter> {
  readonly store: () => Promise<Store>;
  /** Throws SERVICES_DOWN. */
  readonly writer: () => Promise<{ readonly writer: W; close(): Promise<void> }>;
  /** Resolves `service:NAME`. */
  readonly address: (text: string) => Promise<string>;
}

/** Opens an index for the person at this terminal, under the policy of the home. Its modules are loaded on first use. */
export const indexOpener =
  (here: Here): IndexOpener<Place> =>
  async (index) => {
    const { openHere } = await import('../../adapters/static-index/open-here.js');
    if (index.target.address.startsWith('service:')) return openHere(index.target, here);
    const [{ openAllowed }, { createHosts, createWorkerPolicy }] = await Promise.all([
      import('../../activities/policy/readable.js'),
      import('../../adapters/policy/index.js'),
    ]);
    const policy = createWorkerPolicy(here.env, here.home);
    const reader = { policy, hosts: createHosts(), by: 'command' } as const;
    return openAllowed(reader, ({ target }) => openHere(target, here))(index);
  };
