import type { Plan } from '../../model/plan.js';
import { receiversIn } from '../../plan/policy/receivers.js';
import type { Receiver } from '../../model/policy/place.js';
import type { Features } from '../../activities/plan/ports.js';
import { refsOfCommits } from '../../plan/policy/commit.js';
import { listedNames, usesIn } from '../../model/secret.js';
import { grantedBy } from '../../plan/policy/granter.js';
import { judgeTarget, type Asked } from '../../plan/policy/judge.js';
import { draftPolicy, writeNewPolicy } from './draft-policy.js';
import { createWorkerPolicy } from './index.js';

/** The policy of this machine's workers, for display.
 * @param service returns the address of a service, null if it is down */
export function openPolicy(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  service: (name: string) => string | null,
  features: Features,
) {
  const { path, read, refsOf } = createWorkerPolicy(env, home);
  const resolve = (address: string): string =>
    (address.startsWith('service:') ? service(address.slice('service:'.length)) : null) ?? address;
  const asked = (one: Receiver): Asked => ({ ...one, planned: one.address, address: resolve(one.address) });
  return {
    ...{ path, read, writeNew: writeNewPolicy },
    draft: (file: string, profile: string) => draftPolicy(file, profile, features),
    async explain(plan: Plan) {
      const policy = await read();
      const repository = policy?.content.repository;
      const refs = repository ? await refsOfCommits(plan, (commit) => refsOf(repository, commit)) : null;
      const question = { policy, path, plan, refs };
      const judged = receiversIn(plan)
        .filter(({ kind }) => kind !== 'read')
        .map((receiver) => judgeTarget(question, asked(receiver)));
      const uses = usesIn(plan).map((use) => ({
        ...use,
        by: grantedBy(use, use.target && asked(use.target), policy, listedNames(env)),
      }));
      return { path, policy: policy?.content ?? null, judged, uses };
    },
  };
}
