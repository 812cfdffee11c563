import { createMakePlan } from '../activities/plan/make-plan.js';
import type { Fleet } from '../activities/plan/ports.js';
import { asApplicationFailure, createPerform, type Perform } from '../activities/step/perform.js';
import type { Surroundings } from '../activities/step/ports.js';
import type { Body } from '../activities/work.js';
import { createPlanner } from '../adapters/facts/planner.js';
import { SlipwayFailure } from '../model/failure.js';
import type { KindName } from '../model/kinds.js';
import type { MakePlan, StepActivity } from '../model/messages.js';
import { createBodies } from './bodies.js';

/** Activities by name: each kind is one. */
export function stepActivities(around: Surroundings): Record<string, StepActivity> {
  const perform: Perform = createPerform(around);
  const bodies = Object.entries(createBodies(around)) as [KindName, Body<KindName>][];
  return Object.fromEntries(bodies.map(([kind, body]) => [kind, perform(body)]));
}

/** Plans on this host; only the control queue's workers offer it. */
export function planActivity({ store }: Surroundings, fleet: Fleet): { readonly makePlan: MakePlan } {
  const makePlan = createMakePlan(createPlanner(store), fleet);
  return {
    makePlan: async (input) => {
      try {
        return await makePlan(input);
      } catch (error) {
        throw error instanceof SlipwayFailure ? asApplicationFailure(error.problems) : error;
      }
    },
  };
}
