import type { Absence } from './absence.js';
import type { Conflicts } from './conflicts.js';
import type { Gatehouse } from './gatehouse.js';
import type { KnownWork } from './known-work.js';
import type { Outages } from './outages.js';
import type { Reminders } from './reminders.js';
import type { Tries } from './tries.js';
import type { Windows } from './windows.js';

/** What decides beside the board. Each keeps what it knows in one plain object named `state`, and nowhere else: then it travels
 * with the run to the next generation, and a new policy need only be named here. */
export interface Policies {
  readonly absence: Absence;
  readonly conflicts: Conflicts;
  readonly gates: Gatehouse;
  readonly known: KnownWork;
  readonly outages: Outages;
  readonly reminders: Reminders;
  readonly tries: Tries;
  readonly windows: Windows;
}

/** What the policies of a run know, as plain JSON. */
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
