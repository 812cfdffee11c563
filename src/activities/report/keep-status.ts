import { samenessOf } from '../../engine/cache/nothing-new.js';
import type { Finding } from '../../model/finding.js';
import type { KeepStatus, RunStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import { type DoneBefore, records } from '../../model/run-folder.js';
import { keepWanted } from '../index/keep-wanted.js';
import type { Layout, Store } from '../ports.js';
import { sha256 } from '../sha256.js';
import { moveLatest } from './move-latest.js';

/** Stores the final status of a run, for use without a Temporal server. The first status is final. A successful run may
 * move its branch's `latest`. */
export const createKeepStatus =
  (
    store: Store,
    layout: (release: string) => Layout,
    planOf: (digest: string) => Promise<Plan>,
    ended: readonly EndedRuns[] = [],
  ): KeepStatus =>
  async (status) => {
    await store.create(records.status(status.run), status);
    if (status.plan === null) return;
    const plan = await planOf(status.plan);
    await moveLatest(store, layout(plan.release.name), plan, status);
    await noteDone(store, plan, status);
    await keepWanted(store, plan, status);
    const findings = (await Promise.all(ended.map((tell) => tell(plan, status)))).flat();
    if (findings.length > 0) await store.create(records.findingsAfter(status.run), findings);
  };

/** Reports the end of a run, for example to the indexes of its plan. Never rejects: an error is a finding. */
export type EndedRuns = (plan: Plan, status: RunStatus) => Promise<readonly Finding[]>;

/** Lets a later scheduled run with the same plan end at once. A run with remarks, say a flaky step, does not count. */
async function noteDone(store: Store, plan: Plan, { run, workflowId, verdict }: RunStatus): Promise<void> {
  if (verdict?.verdict !== 'done' || verdict.reasons.length > 0) return;
  const same = samenessOf(plan, sha256);
  if (same !== null) await store.create<DoneBefore>(records.doneBefore(plan.release.name, same), { run, workflowId });
}
