import type { Store } from '../ports.js';
import { newestBases, readRebuilds } from '../index/read-rebuilds.js';
import type { IndexOpener } from '../index/ports.js';
import { readListed } from '../index/read-listed.js';
import { readPureBuilds } from '../wheels/pure-builds.js';
import { readFailedBuilds } from './failed-builds.js';
import type { Features, Past } from './ports.js';

/** Opens what earlier runs left behind. The store is opened when its records are asked for. */
export const openPast = (
  store: () => Promise<Store>,
  standings: Past['standings'],
  open: IndexOpener,
): Omit<Past, keyof Features> => ({
  standings,
  failed: async () => readFailedBuilds(await store()),
  listed: async (asked, platform) => {
    const index = await readListed(await open(asked), platform);
    return index.wheels.length === 0 ? index : { ...index, rebuilds: await readRebuilds(await store(), index.wheels) };
  },
  pure: async (sdists) => readPureBuilds(await store(), sdists),
  bases: async (release) => newestBases(await store(), release),
});
