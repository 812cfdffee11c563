import type { KindName } from '../../model/kinds.js';
import type { Target } from '../../model/target.js';
import { targetsIn } from '../../model/policy/place.js';
import type { Work } from '../work.js';

export interface Resolved extends Target {
  /** Address in the plan: `service:index`. */
  readonly planned: string;
}

/** Work with addresses that were resolved once, so that the policy checks the same addresses that the body uses. */
export interface Pinned<K extends KindName> {
  readonly work: Work<K>;
  /** Targets of the plan whose service is up. The body fails if it uses another. */
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
