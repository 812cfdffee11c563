import type { IndexOpener } from '../../src/activities/index/ports.js';
import { openPast } from '../../src/activities/plan/past.js';
import type { Past } from '../../src/activities/plan/ports.js';
import type { Store } from '../../src/activities/ports.js';
import { NO_PAST } from '../../src/adapters/facts/index.js';
import { openIndex } from './open-index.js';

/** Opens what earlier runs left in a store, without standings and features. */
export const pastOf = (store: () => Store, open: IndexOpener = openIndex): Past => ({
  ...NO_PAST,
  ...openPast(
    async () => store(),
    async () => null,
    open,
  ),
});
