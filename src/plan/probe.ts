import { fail, type Problem } from '../model/failure.js';
import type { Plan } from '../model/plan.js';

/** Refuses a plan that no bisect may try. Throws BISECT_NOT_A_PIPELINE or BISECT_CHANGES_TARGETS. */
export function assertTriable({ release, pipeline, effects }: Plan): void {
  if (pipeline === undefined) throw fail(notAPipeline(release.name));
  if (effects.length > 0) throw fail(changesTargets(release.name, effects[0]!.target, effects.length));
}

export const notAPipeline = (name: string): Problem => ({
  code: 'BISECT_NOT_A_PIPELINE',
  class: 'config',
  message: `${name} is a release, and a try of a bisect is a run of a pipeline: a release of an older commit would take its name`,
  next: 'Describe the test in a file with the head `pipeline:`, and bisect it there.',
});

const changesTargets = (name: string, target: string, count: number): Problem => ({
  code: 'BISECT_CHANGES_TARGETS',
  class: 'config',
  message: `a run of ${name} changes ${target}${count > 1 ? ` and ${count - 1} more outside` : ''}, so a try at an older commit would publish it`,
  next: 'Move the test to a file without `publish:` and `point:`, and bisect it there.',
});
