import { withJudgedAddresses } from '../activities/policy/judged-addresses.js';
import { withListedSecrets } from '../activities/policy/listed-secrets.js';
import { underPolicy } from '../activities/policy/under-policy.js';
import type { StepContext } from '../activities/step/ports.js';
import type { Bodies, Body } from '../activities/work.js';
import { createHosts } from '../adapters/policy/hosts.js';
import { createWorkerPolicy } from '../adapters/policy/index.js';
import { createSignatures } from '../adapters/ssh/signatures.js';
import { KINDS, type KindName } from '../model/kinds.js';

/** Kinds that change no target, and ask the worker's policy before any effect like those that do. */
const ASK_TOO: readonly KindName[] = ['proveTarget', 'attestRelease', 'passGate', 'reportTests'];
/** Kinds that ask addresses which are no targets of theirs. */
const REACH_TOO: readonly KindName[] = [
  ...(['runOnCluster', 'reportTests', 'announceRelease', 'promoteImage'] as const),
  ...(['makeBase', 'takeWheel'] as const),
];
const asks = (kind: KindName): boolean => KINDS[kind].changes === 'target' || ASK_TOO.includes(kind);

/** Wraps bodies so that the worker's policy limits their effects and secrets. */
export function governed(bodies: Bodies, { env, home }: Pick<StepContext, 'env' | 'home'>): Bodies {
  const policy = createWorkerPolicy(env, home);
  const ports = { policy, hosts: createHosts(), signatures: createSignatures() };
  const all = Object.entries(bodies) as [KindName, Body<KindName>][];
  // Some reports have a target, the others only secrets.
  const listed = (kind: KindName): boolean => kind === 'reportTests' || !asks(kind);
  const kept = all.map(([kind, own]) => {
    const body = REACH_TOO.includes(kind) ? withJudgedAddresses(ports, own) : own;
    const asking = asks(kind) ? underPolicy(ports, body) : body;
    return [kind, listed(kind) ? withListedSecrets(policy, asking) : asking];
  });
  return Object.fromEntries(kept) as Bodies;
}
