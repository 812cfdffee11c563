import type { TargetAddress } from '../../model/gate.js';
import type { Target } from '../../model/target.js';
import type { Plan } from '../../model/plan.js';

/** Returns every target that a plan publishes to, sorted by name.
 * @param resolve address of a `service:NAME`, or the address itself */
export function targetsOf(
  { steps }: Pick<Plan, 'steps'>,
  resolve: (address: string) => string,
): readonly TargetAddress[] {
  const targets = new Map<string, Target>();
  for (const step of steps)
    if (step.kind === 'publishArtifacts') targets.set(step.params.target.name, step.params.target);
  return [...targets.values()]
    .map((target) => ({
      name: target.name,
      kind: target.kind,
      address: placeOf(target, resolve),
      repository: target.repository,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Adds the endpoint, because the same bucket name on another server is another bucket. */
function placeOf({ address, extra }: Target, resolve: (address: string) => string): string {
  const endpoint = extra !== undefined && 'endpoint' in extra ? extra.endpoint : null;
  return endpoint === null ? resolve(address) : `${resolve(address)} on ${endpoint}`;
}
