import { skeleton } from '../../model/answers.js';
import type { Skeleton } from '../../model/plan.js';

/** Returns why the answer of `makePlan` is not a plan. Null if it is one. Any program that polls the queue can answer. */
export const skeletonFault = (made: unknown): string | null => skeleton(made) ?? edgesFault(made as Skeleton);

function edgesFault({ steps }: Skeleton): string | null {
  const strange = steps.find(({ needs, wants, after }) =>
    [...needs, ...wants, ...after].some((on) => on >= steps.length),
  );
  return strange === undefined ? null : `has an edge of ${JSON.stringify(strange.id)} to a step that it does not have`;
}
