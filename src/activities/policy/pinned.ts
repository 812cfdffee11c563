import type { KindName } from '../../model/kinds.js';
import type { Target } from '../../model/target.js';
import { targetsIn } from '../../model/policy/place.js';
import type { Work } from '../work.js';

/** A target of the plan with the address that this worker's settings make of its own. */
export interface Resolved extends Target {
  /** As the plan says it: `service:index`. */
  readonly planned: string;
}

/** Work whose addresses were looked up once: what is judged is what the body gets. */
export interface Pinned<K extends KindName> {
  readonly work: Work<K>;
  /** Targets of the plan whose service is up; the body fails at the address of another. */
  readonly targets: readonly Resolved[];
}

export function pinned<K extends KindName>(work: Work<K>): Pinned<K> {
  const found = new Map<string, string>();
  const failed = new Map<string, unknown>();
  for (const { address } of targetsIn(work.plan))
    try {
      found.set(address, work.address(address));
    } catch (error) {
      failed.set(address, error);
    }
  const address = (asked: string): string => {
    if (failed.has(asked)) throw failed.get(asked);
    return found.get(asked) ?? work.address(asked);
  };
  const targets = targetsIn(work.plan).flatMap((target) => {
    const resolved = found.get(target.address);
    return resolved === undefined ? [] : [{ ...target, planned: target.address, address: resolved }];
  });
  return { work: { ...work, address }, targets };
}
