import type { KindName } from '../../model/kinds.js';
import { placeOf } from '../../model/policy/place.js';
import type { Rehearsed } from '../../model/report.js';
import type { Body, Work } from '../work.js';
import { assertAllowed } from './ask.js';
import { pinned, type Resolved } from './pinned.js';
import type { PolicyPorts } from './ports.js';
import { assertResolved } from './rehearsed-here.js';

/** Wraps a body of the control worker so that it starts only if this worker's own rules allow its effects. */
export const underPolicy =
  <K extends KindName>(ports: PolicyPorts, body: Body<K>): Body<K> =>
  async (found) => {
    const { work, targets } = pinned(found);
    const { rehearsal } = work.plan.profile;
    await assertResolved(targets, rehearsal, ports.hosts);
    await assertAllowed(work as unknown as Work, targets, ports);
    const made = await body(work);
    return rehearsal && work.step.kind === 'publishArtifacts'
      ? { ...made, facts: { ...made.facts, rehearsed: { ...rehearsedIn(targets) } } }
      : made;
  };

function rehearsedIn(targets: readonly Resolved[]): Rehearsed {
  const hosts = targets.map(placeOf).flatMap((place) => (place.here ? [place.at] : []));
  return { targets: new Set(targets.map(({ name }) => name)).size, hosts: [...new Set(hosts)].sort() };
}
