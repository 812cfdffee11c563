import { outputOf } from '../engine/handover/truncate-cells.js';
import type { RunStatus, StepStatus } from '../model/messages.js';
import { inBrief } from '../model/quiet-steps.js';

/** Largest status in characters. The server refuses payloads of two megabytes, and fails the workflow task for ever. */
const MOST_BYTES = 1_000_000;
/** Most steps that are listed in full. People read such a status in the Temporal UI too. */
const MOST_IN_FULL = 500;
/** Most steps whose problems are listed. Further ones are named only. */
const TROUBLE_TOLD = 50;

/** Returns the status, cut to the size that Temporal accepts. Output goes first, then details of quiet steps, then notes. The state of
 * each step stays as long as there is room, because reports and durations need it. */
export function fitting(status: RunStatus, most = MOST_BYTES): RunStatus {
  // Estimate first: serialising the output of thousands of steps takes a second.
  const tooMuchOutput = status.steps.reduce((sum, { problems = [] }) => sum + outputOf(problems), 0) > most;
  for (const cut of status.steps.length > MOST_IN_FULL ? CUTS.slice(2) : CUTS) {
    if (tooMuchOutput && WITH_OUTPUT.includes(cut)) continue;
    const answer = cut(status);
    if (bytesOf(JSON.stringify(answer)) <= most) return answer;
  }
  return { ...status, steps: [] };
}

/** An upper bound: a character takes at most three bytes. */
const bytesOf = (text: string): number => text.length + 2 * (text.match(/[^\0-\x7f]/g)?.length ?? 0);

const each =
  (cut: (step: StepStatus) => readonly StepStatus[]) =>
  (status: RunStatus): RunStatus => ({ ...status, steps: status.steps.flatMap(cut) });

const withoutOutput = (step: StepStatus): StepStatus =>
  step.problems
    ? {
        ...step,
        problems: step.problems.slice(0, 3).map(({ evidence: _, firstError: __, details: ___, ...problem }) => problem),
      }
    : step;

const withoutEvidence = each((step) => [withoutOutput(step)]);

const withoutNotes = each(({ note: _, ...step }) => [step]);

const onlyTrouble = each((step) =>
  step.state === 'done' || step.state === 'cached' || step.state === 'dropped' ? [] : [step],
);

/** Lists each step with its state, and the problems of the first steps that have any. */
const named =
  (told: number) =>
  (status: RunStatus): RunStatus => {
    let left = told;
    const bare = each((step) => {
      const { id, kind, stage, state, attempt, problems } = step;
      return [problems !== undefined && left-- > 0 ? withoutOutput(step) : { id, kind, stage, state, attempt }];
    });
    return inBrief(bare(status), ({ problems }) => problems !== undefined);
  };

type Cut = (status: RunStatus) => RunStatus;
const same: Cut = (status) => status;
const inBriefWithOutput: Cut = (status) => inBrief(status);
const WITH_OUTPUT: readonly Cut[] = [same, inBriefWithOutput];

const CUTS: readonly Cut[] = [
  same,
  withoutEvidence,
  inBriefWithOutput,
  (status) => inBrief(withoutEvidence(status)),
  (status) => inBrief(withoutNotes(withoutEvidence(status))),
  named(TROUBLE_TOLD),
  named(0),
  (status) => named(0)(onlyTrouble(status)),
];
