import type { Context } from './context.js';
import { problems } from './errors.js';
import type { Draft } from './item.js';

/** A step that takes containers goes to a queue whose workers have them: told here, not by a worker hours later. */
export function inReach(drafts: readonly Draft[], context: Context): readonly Draft[] {
  for (const { step, tools } of drafts) {
    const queue = context.facts.queues[step.on];
    if (step.stage === 'prove' || !tools.includes('docker') || !queue || queue.can.includes('container')) continue;
    const path = step.id.split('/').slice(0, 2);
    context.complain(problems.queueCannot(context.at(path, 'key'), step.on, step.id));
  }
  return drafts;
}
