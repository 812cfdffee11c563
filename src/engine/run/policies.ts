import type { UnservedQueues } from '../outages/unserved-queues.js';
import type { Conflicts } from './conflicts.js';
import type { GatePolicy } from '../gates/gate-policy.js';
import type { CacheLookup } from '../cache/cache-lookup.js';
import type { Outages } from '../outages/outages.js';
import type { Reminders } from '../notify/reminders.js';
import type { RetryBudget } from './retry-budget.js';
import type { Windows } from './windows.js';

/** Policies that decide beside the graph. Each has its whole state in one plain object named `state`, which the
 * snapshot includes. A new policy is only added here. */
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

export type PolicyStates = { readonly [Name in keyof Policies]: Policies[Name]['state'] };

type Loose = Readonly<Record<string, { readonly state: object } | undefined>>;

export const statesOf = (policies: Policies): PolicyStates =>
  copy(
    Object.fromEntries(Object.entries(policies as unknown as Loose).map(([name, one]) => [name, one!.state])),
  ) as PolicyStates;

/** Restores the state of policies from a snapshot. A policy that the snapshot lacks keeps its initial state. */
export function putStates(policies: Policies, states: PolicyStates): void {
  const all = policies as unknown as Loose;
  for (const [name, state] of Object.entries(copy(states))) Object.assign(all[name]?.state ?? {}, state);
}

const copy = <T>(plain: T): T => JSON.parse(JSON.stringify(plain)) as T;
