import { fail, type Problem } from '../../model/failure.js';
import type { KindName } from '../../model/kinds.js';
import type { Receiver } from '../../model/policy/place.js';
import { receiver, receiversOf } from '../../plan/policy/receivers.js';
import type { Plan, Step } from '../../model/plan.js';
import { judgeTarget, type Asked, rowOf, type PolicyFile } from '../../plan/policy/judge.js';
import { targetSecretProblems, secretProblems } from '../../plan/policy/secrets.js';
import type { Webhook } from '../notify/ports.js';
import type { Body, Work } from '../work.js';
import type { PolicyPorts, Hosts, WorkerPolicy } from './ports.js';
import { assertResolved } from './rehearsed-here.js';
import type { Listener } from '../../model/listener.js';
import { secretsOf, targetIn } from '../../model/secret.js';

type Ports = Pick<PolicyPorts, 'policy' | 'hosts'>;

/** Wraps a body that asks addresses which are no targets of its step. Each is judged as this worker resolves it, before the body
 * connects; one that gets something of ours also needs a row of the policy. The body finds the same value of each reference. */
export const withJudgedAddresses =
  <K extends KindName>(ports: Ports, body: Body<K>): Body<K> =>
  async (found) => {
    const values = new Map<string, Promise<string>>();
    const secret: Work['secret'] = (text, as) => {
      if (!values.has(text)) values.set(text, found.secret(text, as));
      return values.get(text)!;
    };
    const work = { ...found, secret };
    const { rehearsal } = work.plan.profile;
    for (const one of receiversOf(work.step as Step, rehearsal)) {
      if (one.kind === 'read') await assertResolved([one], rehearsal, ports.hosts);
      else await assertListed(ports, work.plan, { ...one, address: await secret(work.address(one.address)) });
    }
    return body(work);
  };

/** Wraps the sender of a plan's messages in the same way. */
export const toJudgedHooks = (ports: Ports, plan: Plan, webhook: Webhook): Webhook => ({
  post: async (letter) => {
    await assertListed(ports, plan, receiver('webhook', letter.to.split('.', 2), letter.url));
    return webhook.post(letter);
  },
});

/** Judges the value of a reference without user, password and query. An address that is none connects nothing: the body says so. */
async function assertListed(ports: Ports, plan: Plan, one: Receiver): Promise<void> {
  const isValue = one.kind === 'webhook' || one.kind === 'postgres';
  if (isValue && !URL.canParse(one.address)) return;
  const { protocol, host, pathname } = isValue ? new URL(one.address) : { protocol: '', host: '', pathname: '' };
  const address = isValue ? `${protocol}//${host}${pathname}` : one.address;
  await assertAddressListed(ports, plan, { ...one, planned: address, address });
}

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
