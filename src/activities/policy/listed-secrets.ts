import { fail, type Problem } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import type { Listener } from '../../model/listener.js';
import type { Plan, Step } from '../../model/plan.js';
import { secretsOf, targetIn } from '../../model/secret.js';
import { rowOf, type PolicyFile } from '../../plan/policy/judge.js';
import { secretProblems, targetSecretProblems } from '../../plan/policy/secrets.js';
import type { Body, Work } from '../work.js';
import type { WorkerPolicy } from './ports.js';

/** Wraps a body so that it gets only secrets that this worker's policy lists. Without a policy it gets all secrets of
 * the plan. */
export const withListedSecrets =
  <K extends KindName>(policy: WorkerPolicy, body: Body<K>): Body<K> =>
  async (work) => {
    const found = usesSecrets(work.step as Step) ? await policy.read() : null;
    const problems = found === null ? [] : problemsOf(work as unknown as Work, found);
    if (problems.length > 0) throw fail(problems);
    return body(work);
  };

/** A target's user name may also be a secret. */
const usesSecrets = (step: Step): boolean => targetIn(step) !== null || secretsOf({ steps: [step] }).length > 0;

function problemsOf(work: Work, policy: PolicyFile): readonly Problem[] {
  const step = work.step as Step;
  const target = targetIn(step);
  if (target === null) return secretProblems(policy, step.id, { steps: [step] });
  const asked = { ...target, planned: target.address, address: work.address(target.address) };
  return targetSecretProblems(policy, rowOf(policy.content, asked), asked);
}

export async function assertMessageListed(policy: WorkerPolicy, { notify }: Plan, to: string): Promise<void> {
  const found = await policy.read();
  const listeners = (notify?.listeners ?? []).filter(({ name }: Listener) => name === to);
  if (found === null || notify === undefined) return;
  const problems = secretProblems(found, `notify.${to}`, { steps: [], notify: { ...notify, listeners } });
  if (problems.length > 0) throw fail(problems);
}
