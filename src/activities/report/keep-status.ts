import type { KeepStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import { records } from '../../model/run-folder.js';
import type { Layout, Store } from '../ports.js';
import { moveLatest } from './move-latest.js';

/** Keeps how a run ended where no Temporal server is asked; the first status stands, as with all records. What ended well
 * may be what its branch's `latest` leads to. */
export const createKeepStatus =
  (store: Store, layout: (release: string) => Layout, planOf: (digest: string) => Promise<Plan>): KeepStatus =>
  async (status) => {
    await store.create(records.status(status.run), status);
    if (status.plan === null) return;
    const plan = await planOf(status.plan);
    await moveLatest(store, layout(plan.release.name), plan, status);
  };
