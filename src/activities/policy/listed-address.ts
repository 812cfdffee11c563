import { fail } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import { judgeTarget, type Asked } from '../../plan/policy/judge.js';
import { targetSecretProblems } from '../../plan/policy/secrets.js';
import { assertResolved } from './rehearsed-here.js';
import type { Hosts, WorkerPolicy } from './ports.js';

/** Throws unless this worker's policy lists the address of a target, and its secrets for it. Gates and commits were
 * checked when the publish step wrote there. */
export async function assertAddressListed(
  { policy, hosts }: { readonly policy: WorkerPolicy; readonly hosts: Hosts },
  plan: Plan,
  target: Asked,
): Promise<void> {
  await assertResolved([target], plan.profile.rehearsal, hosts);
  const read = await policy.read();
  const { row, problems } = judgeTarget({ policy: read, path: policy.path, plan, refs: null }, target);
  const found = read === null || row === null ? problems : targetSecretProblems(read, row, target);
  if (found.length > 0) throw fail(found);
}
