import type { Store } from '../../activities/ports.js';
import { rowOf } from '../../model/kinds.js';
import type { RunStatus } from '../../model/messages.js';
import { records } from '../../model/run-folder.js';
import type { Outcome } from '../../model/tests/outcome.js';

/** How an attempt of a cluster test ended, without its output and results. */
export type TestAttempt = Pick<
  Outcome,
  'step' | 'title' | 'repeat' | 'attempt' | 'code' | 'class' | 'phase' | 'exit' | 'returnCode' | 'ms' | 'nodes'
>;

/** Reads the attempts of a run's cluster tests, ordered by test, repeat and attempt. A status has the last attempt of a step
 * only, and no problem of a step that passed later. */
export async function attemptsOf(
  status: RunStatus,
  store: Pick<Store, 'list' | 'read'>,
): Promise<readonly TestAttempt[]> {
  if (!status.steps.some(({ kind, attempt }) => rowOf(kind)?.test === 'recorded' && attempt > 0)) return [];
  // Lazy import: most runs have no such test.
  const { readOutcomes } = await import('../../activities/read-outcomes.js');
  const { outcomes } = await readOutcomes(store, records.outcomes(status.name, status.run));
  return outcomes.map(({ outcome }) => attemptOf(outcome));
}

const attemptOf = ({
  step,
  title,
  repeat,
  attempt,
  code,
  class: kind,
  phase,
  exit,
  ...more
}: Outcome): TestAttempt => ({
  ...{ step, title, repeat, attempt, code, class: kind, phase, exit },
  ...{ returnCode: more.returnCode, ms: more.ms, nodes: more.nodes },
});
