import type { UnservedQueues } from '../outages/unserved-queues.js';
import type { Conflicts } from './conflicts.js';
import type { GatePolicy } from '../gates/gate-policy.js';
import type { CacheLookup } from '../cache/cache-lookup.js';
import type { Outages } from '../outages/outages.js';
import type { Reminders } from '../notify/reminders.js';
import type { RetryBudget } from './retry-budget.js';
import type { Windows } from './windows.js';

/** The policies that decide beside the graph. Each keeps its knowledge in one plain object named `state`, and nowhere else. So it
 * is part of the snapshot of a run, and a new policy need only be named here. */
export interface Policies {
  readonly unservedQueues: UnservedQueues;
  readonly conflicts: Conflicts;
  readonly gates: GatePolicy;
  readonly cacheLookup: CacheLookup;
  readonly outages: Outages;
  readonly reminders: Reminders;
  readonly retryBudget: RetryBudget;
  readonly windows: Windows;
}

/** The state of all policies, as plain JSON. */
export type PolicyStates = { readonly [Name in keyof Policies]: Policies[Name]['state'] };

type Loose = Readonly<Record<string, { readonly state: object } | undefined>>;

export const statesOf = (policies: Policies): PolicyStates =>
  copy(
    Object.fromEntries(Object.entries(policies as unknown as Loose).map(([name, one]) => [name, one!.state])),
  ) as PolicyStates;

/** Puts what was known elsewhere in place of what they know. A policy that was not there yet keeps what it begins with. */
export function putStates(policies: Policies, states: PolicyStates): void {
  const all = policies as unknown as Loose;
  for (const [name, state] of Object.entries(copy(states))) Object.assign(all[name]?.state ?? {}, state);
}

const copy = <T>(plain: T): T => JSON.parse(JSON.stringify(plain)) as T;
