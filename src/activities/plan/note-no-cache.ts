import type { RunId } from '../../model/ids.js';
import type { Skeleton } from '../../model/plan.js';
import type { NotLookedUp } from '../../model/reuse.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';

/** Records for which steps the cache is off; `slipway why` shows it. */
export async function noteNoCache(store: Store, run: RunId, { noCache, steps }: Skeleton): Promise<void> {
  if (noCache === undefined) return;
  const anew = noCache === 'all' ? noCache : noCache.map((step) => steps[step]!.id);
  await store.create<NotLookedUp>(records.noCache(run), { steps: anew });
}
