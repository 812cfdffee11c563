import { fail, type Problem } from '../model/failure.js';
import type { Plan } from '../model/plan.js';
import { entryOf, isStepOf, testOf } from '../model/tests/outcome.js';

/** Refuses a plan that no bisect may try. Throws BISECT_NOT_A_PIPELINE or BISECT_CHANGES_TARGETS. */
export function assertTriable({ release, pipeline, effects }: Plan): void {
  if (pipeline === undefined) throw fail(notAPipeline(release.name));
  if (effects.length > 0) throw fail(changesTargets(release.name, effects[0]!.target, effects.length));
}

/** Throws BISECT_NO_VARIANT for a name in records that no step of the plan has. */
export function assertVariant({ steps }: Pick<Plan, 'steps'>, test: string): void {
  const entry = entryOf(test);
  if (entry === test || steps.some(({ id }) => isStepOf(id, test))) return;
  const variants = steps.filter(({ id }) => isStepOf(id, entry)).map((step) => testOf(step).test);
  throw fail(noVariant(test, [...new Set(variants)]));
}

export const notAPipeline = (name: string): Problem => ({
  code: 'BISECT_NOT_A_PIPELINE',
  class: 'config',
  message: `${name} is a release, and a try of a bisect is a run of a pipeline: a release of an older commit would take its name`,
  next: 'Describe the test in a file with the head `pipeline:`, and bisect it there.',
});

const MOST_NAMED = 10;

const noVariant = (test: string, known: readonly string[]): Problem => ({
  code: 'BISECT_NO_VARIANT',
  class: 'config',
  message: `no variant of the test is called ${JSON.stringify(test)}`,
  next: `Name one of its variants: ${known.slice(0, MOST_NAMED).join(', ')}${known.length > MOST_NAMED ? ', …' : ''}.`,
});

const changesTargets = (name: string, target: string, count: number): Problem => ({
  code: 'BISECT_CHANGES_TARGETS',
  class: 'config',
  message: `a run of ${name} changes ${target}${count > 1 ? ` and ${count - 1} more outside` : ''}, so a try at an older commit would publish it`,
  next: 'Move the test to a file without `publish:` and `point:`, and bisect it there.',
});
