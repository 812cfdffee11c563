import { withListedSecrets } from '../activities/policy/listed-secrets.js';
import { underPolicy } from '../activities/policy/under-policy.js';
import type { StepContext } from '../activities/step/ports.js';
import type { Bodies, Body } from '../activities/work.js';
import { createHosts } from '../adapters/policy/hosts.js';
import { createWorkerPolicy } from '../adapters/policy/index.js';
import { createSignatures } from '../adapters/ssh/signatures.js';
import type { KindName } from '../model/kinds.js';

/** Kinds that ask the worker's policy before any effect. */
const ASK: ReadonlySet<KindName> = new Set([
  'proveTarget',
  'attestRelease',
  'passGate',
  'publishArtifacts',
  'movePointer',
]);

/** Wraps bodies so that the worker's policy limits their effects and secrets. */
export function governed(bodies: Bodies, { env, home }: Pick<StepContext, 'env' | 'home'>): Bodies {
  const policy = createWorkerPolicy(env, home);
  const ports = { policy, hosts: createHosts(), signatures: createSignatures() };
  const all = Object.entries(bodies) as [KindName, Body<KindName>][];
  const kept = all.map(([kind, body]) => [
    kind,
    ASK.has(kind) ? underPolicy(ports, body) : withListedSecrets(policy, body),
  ]);
  return Object.fromEntries(kept) as Bodies;
}
