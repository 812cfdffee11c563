import type { KeepStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import { records } from '../../model/run-folder.js';
import type { Layout, Store } from '../ports.js';
import { moveLatest } from './move-latest.js';

/** Stores the final status of a run, for use without a Temporal server. The first status is final. A successful run may
 * move its branch's `latest`. */
export const createKeepStatus =
  (store: Store, layout: (release: string) => Layout, planOf: (digest: string) => Promise<Plan>): KeepStatus =>
  async (status) => {
    await store.create(records.status(status.run), status);
    if (status.plan === null) return;
    const plan = await planOf(status.plan);
    await moveLatest(store, layout(plan.release.name), plan, status);
  };
