import type { Policy } from '../../model/schema/policy.js';
import type { Plan } from '../../model/plan.js';
import { receiversIn } from '../../model/policy/receivers.js';
import { refsOfCommits } from '../../plan/policy/commit.js';
import { judgeTarget, type Judgement } from '../../plan/policy/judge.js';
import { draftPolicy, writeNewPolicy } from './draft-policy.js';
import { createWorkerPolicy } from './index.js';

/** The policy of this machine's workers, for display.
 * @param service returns the address of a service, null if it is down */
export function openPolicy(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  service: (name: string) => string | null,
) {
  const { path, read, refsOf } = createWorkerPolicy(env, home);
  const resolve = (address: string): string =>
    (address.startsWith('service:') ? service(address.slice('service:'.length)) : null) ?? address;
  return {
    ...{ path, read, draft: draftPolicy, writeNew: writeNewPolicy },
    async explain(plan: Plan): Promise<{ path: string; policy: Policy | null; judged: readonly Judgement[] }> {
      const policy = await read();
      const repository = policy?.content.repository;
      const refs = repository ? await refsOfCommits(plan, (commit) => refsOf(repository, commit)) : null;
      const question = { policy, path, plan, refs };
      const asked = receiversIn(plan).filter(({ kind }) => kind !== 'read');
      const judged = asked.map((target) =>
        judgeTarget(question, { ...target, planned: target.address, address: resolve(target.address) }),
      );
      return { path, policy: policy?.content ?? null, judged };
    },
  };
}
