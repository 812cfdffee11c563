import { fail, type Problem } from '../../model/failure.js';
import { rehearsalElsewhere } from '../../model/policy/errors.js';
import { placeOf, targetsIn } from '../../model/policy/place.js';
import type { Target } from '../../model/target.js';
import type { Plan } from '../../model/plan.js';
import type { Hosts } from './ports.js';

/** Throws REHEARSAL_ELSEWHERE for every target of a rehearsal that is not on this machine, for plans of any origin. */
export function assertRehearsedHere(plan: Plan): void {
  const found = plan.profile.rehearsal ? targetsIn(plan).flatMap(problemsOf) : [];
  if (found.length > 0) throw fail(found);
}

/** Checks the addresses as this worker resolves them. */
export async function assertResolvedHere(targets: readonly Target[], hosts: Hosts): Promise<void> {
  const found = targets.flatMap(problemsOf);
  for (const target of targets) found.push(...(await wrongName(target, hosts)));
  if (found.length > 0) throw fail(found);
}

function problemsOf(target: Target): Problem[] {
  const place = placeOf(target);
  return place.here ? [] : [rehearsalElsewhere({ target: target.name, ...place })];
}

/** `localhost` is the only name that is allowed, and this machine's settings may map it to another host. */
async function wrongName(target: Target, hosts: Hosts): Promise<readonly Problem[]> {
  const place = placeOf(target);
  if (!place.here || place.at !== 'localhost') return [];
  const outside = (await hosts.lookUp(place.at)).filter((address) => !/^(127\.|::1$)/.test(address));
  if (outside.length === 0) return [];
  const why = `on this worker localhost is ${outside.join(', ')}`;
  return [rehearsalElsewhere({ target: target.name, address: target.address, why })];
}
