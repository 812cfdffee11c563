import type { Context } from './context.js';
import { problems } from './errors.js';
import type { PlannedStep } from './stage.js';

/** Checks that a step's queue has its abilities: containers, emulation, cross builds. A worker would fail only hours
 * later. */
export function inReach(drafts: readonly PlannedStep[], context: Context): readonly PlannedStep[] {
  const said = new Set<string>();
  for (const { step, can } of drafts) {
    const queue = context.facts.queues[step.on];
    const lacks = can.find((ability) => queue && !queue.can.includes(ability));
    if (step.stage === 'prove' || lacks === undefined) continue;
    const path = step.id.split('/').slice(0, 2);
    // Reports one variant of an entry.
    const key = `${path.join('/')} ${step.on} ${lacks}`;
    if (!said.has(key)) context.complain(problems.queueCannot(context.at(path, 'key'), step.on, step.id, lacks));
    said.add(key);
  }
  return drafts;
}
