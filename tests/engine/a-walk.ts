import { EDGE_KINDS } from '../../src/engine/run/edges.js';
import type { Command, Input } from '../../src/engine/run/inputs.js';
import { KINDS } from '../../src/model/kinds.js';
import type { Skeleton } from '../../src/model/plan.js';
import { CACHE_LOOKUP, type Found } from '../../src/model/reuse.js';
import { aProblem } from './a-skeleton.js';

export type Walking = Extract<Command, { do: 'look up' }>;

/** What a walk might come to: from where it began, over steps that are known as `draw` will have it, perhaps not to the end. */
export function aWalk({ steps }: Skeleton, walk: Walking, draw: (below: number) => number, atMs: number): Input {
  const which = { step: CACHE_LOOKUP, attempt: walk.attempt, atMs } as const;
  if (draw(8) === 0)
    return { what: 'ended', ...which, ending: { outcome: 'failed', problems: [aProblem({ class: 'lost' })] } };
  const ended = new Set(walk.ended);
  const found: Found[] = [];
  const unknown: number[] = [];
  const queue = [...walk.from];
  const seen = new Set(queue);
  for (const step of queue) {
    if (draw(10) === 0) continue; // its time was over
    if (draw(3) === 0 || walk.except?.includes(step)) {
      unknown.push(step);
      continue;
    }
    found.push([step, 1, 'known']);
    ended.add(step);
    steps.forEach((next, number) => {
      const may = EDGE_KINDS.every((edge) => next[edge].every((on) => ended.has(on)));
      if (!may || seen.has(number) || ended.has(number) || KINDS[next.kind].cache !== 'pure') return;
      seen.add(number);
      queue.push(number);
    });
  }
  return { what: 'known', ...which, found, unknown: unknown.sort((a, b) => a - b) };
}

/** A skeleton whose known work is looked up; some steps not. */
export const withReuse = (skeleton: Skeleton, salt: number): Skeleton => ({
  ...skeleton,
  reuse: true,
  ...(salt % 3 === 0 && { noCache: [...skeleton.steps.keys()].filter((step) => (step + salt) % 4 === 0) }),
});
