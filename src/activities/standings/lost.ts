import type { StepOf } from '../../model/plan.js';
import { type Outcome, testOf } from '../../model/tests/outcome.js';
import type { Work } from '../work.js';

/** Ray's number of an attempt that ended without a word of its cluster. */
const RAYS_NUMBER = 19;

/** The outcome of an attempt that wrote none. @param at ISO 8601 */
export function lostOutcome(
  { plan, run }: Pick<Work, 'plan' | 'run'>,
  step: StepOf<'runOnCluster'>,
  attempt: number,
  at: string,
  buildkite: Outcome['buildkite'],
): Outcome {
  const { test, repeat } = testOf(step);
  const { title, owner, smoke, about } = step.params;
  return {
    ...{ slipway: 1, pipeline: plan.release.name, label: plan.release.version, profile: plan.profile.name, run },
    ...{ step: step.id, title: title ?? test, repeat, attempt, at, ms: 0 },
    ...{ branch: plan.source.branch, commit: plan.source.kind === 'git' ? plan.source.commit : null, tested: [] },
    ...{ code: 'OUTCOME_LOST', class: 'lost', phase: 'setUp', exit: null, returnCode: RAYS_NUMBER },
    message: 'the attempt left no outcome: its worker died, or it ended before the test began',
    ...{ results: null, metrics: null, lastLogs: [], crashPattern: '', nodes: { seen: 0, lost: [] } },
    ...{ job: null, buildkite, smoke, stable: about['stable'] !== 'false', owner: owner ?? null, tags: about },
  };
}
