import { samenessOf } from '../../engine/cache/key-parts.js';
import { isLater, type KnownCommit } from '../../engine/ledger/newest-commit.js';
import type { Finding } from '../../model/finding.js';
import { layoutFolder } from '../../model/layout.js';
import { type KeepStatus, type RunStatus, GOOD_VERDICTS } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import { type DoneBefore, records, type GitSource } from '../../model/run-folder.js';
import { keepWanted } from '../index/keep-refresh.js';
import type { Layout, Store, Latest } from '../ports.js';
import { sha256 } from '../sha256.js';
import type { KeepAudit } from '../../model/actions.js';

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

/** Moves the branch's `latest` to the commit of a successful run, unless it already names a later commit. */
async function moveLatest(store: Store, layout: Layout, plan: Plan, status: RunStatus): Promise<void> {
  const { source } = plan;
  if (!GOOD_VERDICTS.includes(status.verdict?.verdict) || source.kind !== 'git' || source.branch === null) return;
  const { branch } = source;
  if ((await layout.list(`${layoutFolder(plan)}/`)).length === 0) return;
  const ours = await known(store, source.commit, source.folder);
  if (ours === null) return;
  const at = new Date(ours.epoch * 1000).toISOString();
  const to: Latest = { commit: source.commit, at, version: plan.release.version, run: status.run };
  const others = new Map<string, KnownCommit>();
  for (;;) {
    // Facts about the other commit are read between two calls, since the rule must be synchronous.
    const unknown: Latest[] = [];
    await layout.moveLatest(branch, to, (now) => {
      const other = others.get(now.commit);
      if (other === undefined) unknown.push(now);
      return other !== undefined && isLater(ours, other);
    });
    if (unknown.length === 0) return;
    for (const one of unknown)
      others.set(one.commit, (await known(store, one.commit, source.folder)) ?? withoutAncestors(one));
  }
}

async function known(store: Store, commit: string, folder?: string): Promise<KnownCommit | null> {
  const source = await store.read<GitSource>(records.gitSource(commit, folder));
  return source && { commit, epoch: source.epoch, ancestors: source.ancestors };
}

const withoutAncestors = ({ commit, at }: Latest): KnownCommit => ({
  commit,
  epoch: Date.parse(at) / 1000,
  ancestors: [],
});

/** Stores the audit of a run: who said which action, when, why, and the answer. The first record of an action is final. */
export const createKeepAudit =
  (store: Store): KeepAudit =>
  async ({ run, actions }) => {
    for (const action of actions) {
      if (action.answer.ok && action.answer.round)
        await store.create(records.rounds(run, action.answer.round.round), action.answer.round);
      await store.create(records.audit(run, action.no), action);
    }
  };
