import type { RunId } from '../../model/ids.js';
import type { PackedSkeleton } from '../../model/packed-skeleton.js';
import type { Skeleton } from '../../model/plan.js';
import type { NotLookedUp } from '../../model/reuse.js';
import { records } from '../../model/run-folder.js';
import { isPacked, unpacked } from '../../engine/handover/packed.js';
import type { Store } from '../ports.js';

/** Keeps for which steps nothing was looked up in a run: `why` tells it. */
export async function noteNoCache(store: Store, run: RunId, skeleton: Skeleton | PackedSkeleton): Promise<void> {
  const { noCache } = skeleton;
  if (noCache === undefined) return;
  const { steps } = isPacked(skeleton) ? unpacked(skeleton) : skeleton;
  const anew = noCache === 'all' ? noCache : noCache.map((step) => steps[step]!.id);
  await store.create<NotLookedUp>(records.noCache(run), { steps: anew });
}
