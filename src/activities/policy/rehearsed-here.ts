import { fail, type Problem } from '../../model/failure.js';
import { addressProblem, hostsOf, shownOf } from '../../model/policy/address.js';
import { addressLinkLocal, rehearsalElsewhere } from '../../model/policy/errors.js';
import { isLinkLocal } from '../../model/policy/link-local.js';
import type { Receiver } from '../../model/policy/place.js';
import { receiversIn } from '../../plan/policy/receivers.js';
import type { Plan } from '../../model/plan.js';
import type { Hosts } from './ports.js';

/** Throws for every address that no plan may have: REHEARSAL_ELSEWHERE, ADDRESS_LINK_LOCAL. For plans of any origin. */
export function assertAddresses(plan: Plan): void {
  const found = receiversIn(plan).flatMap((one) => addressProblem(one, plan.profile.rehearsal) ?? []);
  if (found.length > 0) throw fail(found);
}

/** Judges addresses again as this worker resolves them, and the addresses that it finds for their names. */
export async function assertResolved(all: readonly Receiver[], rehearsal: boolean, hosts: Hosts): Promise<void> {
  const found = all.flatMap((one) => addressProblem(one, rehearsal) ?? []);
  if (found.length === 0) for (const one of all) found.push(...(await wrongNames(one, rehearsal, hosts)));
  if (found.length > 0) throw fail(found);
}

/** A rehearsal allows the name `localhost` alone, and this machine's settings may map it to another host. A name that is not found
 * connects nothing. */
async function wrongNames(one: Receiver, rehearsal: boolean, { lookUp }: Hosts): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  for (const host of hostsOf(one).filter((name) => !IP.test(name))) {
    const ips = await lookUp(host).catch(() => []);
    const [linked, outside] = [ips.filter(isLinkLocal), ips.filter((ip) => !/^(127\.|::1$)/.test(ip))];
    const why = (wrong: readonly string[]): string => `on this worker ${host} is ${wrong.join(', ')}`;
    if (linked.length > 0) found.push(addressLinkLocal({ ...shownOf(one), why: why(linked) }));
    else if (rehearsal && one.kind !== 'read' && outside.length > 0)
      found.push(rehearsalElsewhere({ ...shownOf(one), why: why(outside) }));
  }
  return found;
}

const IP = /^(\d+(\.\d+){3}|.*:.*)$/;
