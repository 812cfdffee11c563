import { fail } from '../../model/failure.js';
import type { PruneOrder } from '../../model/index-prune.js';
import { judgeTarget } from '../../plan/policy/judge.js';
import { gatesBefore } from '../index/errors.js';
import { assertResolved } from './rehearsed-here.js';
import type { Hosts, WorkerPolicy } from './ports.js';
import { withoutSteps } from './readable.js';

/** Throws unless this worker's policy allows the address of an order to prune. An address behind a gate is refused: a
 * prune has no approvals.
 * @param address as this worker resolves it */
export async function assertPrunable(
  { policy, hosts }: { readonly policy: WorkerPolicy; readonly hosts: Hosts },
  { target, release, profile }: Pick<PruneOrder, 'target' | 'release' | 'profile'>,
  address: string,
): Promise<void> {
  const asked = { ...target, planned: target.address, address };
  await assertResolved([asked], profile.rehearsal, hosts);
  const plan = withoutSteps({ release, profile });
  const question = { policy: await policy.read(), path: policy.path, plan, refs: null };
  const { problems, gates } = judgeTarget(question, asked);
  const names = gates.map(({ gate }) => gate);
  const all = names.length === 0 ? problems : [...problems, gatesBefore(target.name, names)];
  if (all.length > 0) throw fail(all);
}
