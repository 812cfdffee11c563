import type { RunStatus, StepStatus } from '../model/messages.js';
import { inBrief } from '../model/quiet-steps.js';

/** The server refuses payloads of two megabytes, and the run's task with them, for ever: stay well below. */
const MOST_CHARACTERS = 500_000;
/** Steps up to which each is told in full: people read such a status in the Temporal UI too. */
const MOST_IN_FULL = 500;

/** The status, cut down to what Temporal carries: first the output goes, then what is little is told in brief, then the steps that
 * went well go. */
export function fitting(status: RunStatus, most = MOST_CHARACTERS): RunStatus {
  for (const cut of status.steps.length > MOST_IN_FULL ? CUTS.slice(2) : CUTS) {
    const answer = cut(status);
    if (JSON.stringify(answer).length <= most) return answer;
  }
  return { ...status, steps: [] };
}

const each =
  (cut: (step: StepStatus) => readonly StepStatus[]) =>
  (status: RunStatus): RunStatus => ({ ...status, steps: status.steps.flatMap(cut) });

const withoutEvidence = each((step) => [
  step.problems
    ? { ...step, problems: step.problems.slice(0, 3).map(({ evidence: _, details: __, ...problem }) => problem) }
    : step,
]);

const onlyTrouble = each((step) =>
  step.state === 'done' || step.state === 'cached' || step.state === 'dropped' ? [] : [step],
);

const onlyName = each(({ id, kind, stage, state, attempt }) =>
  state === 'failed' ? [{ id, kind, stage, state, attempt }] : [],
);

const CUTS: readonly ((status: RunStatus) => RunStatus)[] = [
  (status) => status,
  withoutEvidence,
  inBrief,
  (status) => inBrief(withoutEvidence(status)),
  (status) => withoutEvidence(onlyTrouble(status)),
  onlyName,
];
