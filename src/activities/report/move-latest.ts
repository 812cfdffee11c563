import { isLater, type KnownCommit } from '../../engine/ledger/later-commit.js';
import { layoutFolder } from '../../model/layout.js';
import { GOOD_VERDICTS, type RunStatus } from '../../model/messages.js';
import type { Plan } from '../../model/plan.js';
import { type GitSource, records } from '../../model/run-folder.js';
import type { Latest, Layout, Store } from '../ports.js';

/** Moves the branch's `latest` to the commit of a successful run, unless it already names a later commit. */
export async function moveLatest(store: Store, layout: Layout, plan: Plan, status: RunStatus): Promise<void> {
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
