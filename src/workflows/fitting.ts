import type { RunStatus, StepStatus } from '../model/messages.js';

/** The server refuses payloads of two megabytes, and the run's task with them, for ever: stay well below. */
const MOST_CHARACTERS = 500_000;

/** The status, cut down to what Temporal carries: first the output goes, then the steps that went well. */
export function fitting(status: RunStatus, most = MOST_CHARACTERS): RunStatus {
  const cuts = [(step: StepStatus) => [step], withoutEvidence, onlyTrouble, onlyName] as const;
  for (const cut of cuts) {
    const answer = { ...status, steps: status.steps.flatMap(cut) };
    if (JSON.stringify(answer).length <= most) return answer;
  }
  return { ...status, steps: [] };
}

const withoutEvidence = (step: StepStatus): readonly StepStatus[] => [
  step.problems
    ? { ...step, problems: step.problems.slice(0, 3).map(({ evidence: _, details: __, ...problem }) => problem) }
    : step,
];

const onlyTrouble = (step: StepStatus): readonly StepStatus[] =>
  step.state === 'done' || step.state === 'cached' || step.state === 'dropped' ? [] : withoutEvidence(step);

const onlyName = ({ id, kind, stage, state, attempt }: StepStatus): readonly StepStatus[] =>
  state === 'failed' ? [{ id, kind, stage, state, attempt }] : [];
