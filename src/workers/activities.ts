import { createPerform, type Perform } from '../activities/step/perform.js';
import type { Surroundings } from '../activities/step/ports.js';
import type { Body } from '../activities/work.js';
import type { KindName } from '../model/kinds.js';
import type { StepActivity } from '../model/messages.js';
import { createBodies } from './bodies.js';

/** Activities by name: each kind is one. */
export function stepActivities(around: Surroundings): Record<string, StepActivity> {
  const perform: Perform = createPerform(around);
  const bodies = Object.entries(createBodies(around)) as [KindName, Body<KindName>][];
  return Object.fromEntries(bodies.map(([kind, body]) => [kind, perform(body)]));
}
