import { withJudgedAddresses } from '../activities/policy/judged-addresses.js';
import { withListedSecrets } from '../activities/policy/listed-secrets.js';
import { underPolicy } from '../activities/policy/under-policy.js';
import type { StepContext } from '../activities/step/ports.js';
import type { Bodies, Body } from '../activities/work.js';
import { createHosts, createWorkerPolicy } from '../adapters/policy/index.js';
import { createSignatures } from '../adapters/ssh/signatures.js';
import { KINDS, type KindName } from '../model/kinds.js';

/** Wraps bodies so that the worker's policy limits their effects and secrets. */
export function governed(bodies: Bodies, { env, home }: Pick<StepContext, 'env' | 'home'>): Bodies {
  const policy = createWorkerPolicy(env, home);
  const ports = { policy, hosts: createHosts(), signatures: createSignatures() };
  const all = Object.entries(bodies) as [KindName, Body<KindName>][];
  const kept = all.map(([kind, own]) => {
    const { policy: asks, reaches } = KINDS[kind];
    const body = reaches ? withJudgedAddresses(ports, own) : own;
    const asking = asks === 'secrets' ? body : underPolicy(ports, body);
    const isListed = asks === 'secrets' || asks === 'own target and secrets';
    return [kind, isListed ? withListedSecrets(policy, asking) : asking];
  });
  return Object.fromEntries(kept) as Bodies;
}
